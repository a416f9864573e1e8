import type { JsonSchema } from "../lib/shape.js";
import type { Endpoint, Parameter } from "./endpoint.js";
import { endpoints } from "./endpoints.js";
import { schemaRef } from "./record-kinds.js";
import { recordSchemas } from "./record-schemas.js";
import { redactedOwner, redactedWebhookFields } from "./redacted-records.js";

/** The schema of each key of an answer's body that does not name its record. */
const bodySchemas: Readonly<Record<string, JsonSchema>> = {
  links: listOf({ anyOf: [schemaRef("LinkedStory"), schemaRef("Link"), schemaRef("Story")] }),
  rel_uuids: listOf({ type: "string" }),
  link_uuids: listOf({ type: "string" }),
  cv: { type: ["integer", "null"] },
  link: { anyOf: [mapOf(schemaRef("Link")), schemaRef("Link")] },
};

const shapes = { array: listOf, map: mapOf, object: one, number: one };

const security = {
  token: { type: "apiKey", in: "query", name: "token", description: "public or preview token of the space" },
  personal: { type: "apiKey", in: "header", name: "Authorization", description: "personal access token, no scheme" },
  bearer: { type: "http", scheme: "bearer", description: "OAuth access token" },
};

const errors: Readonly<Record<string, { about: string; schema: string }>> = {
  400: { about: "A null byte in a parameter.", schema: "Error" },
  401: { about: "No token, a wrong one, or drafts with a public one.", schema: "Error" },
  403: { about: "The space has no taxonomies.", schema: "Error" },
  404: { about: "No such record.", schema: "NotFound" },
  413: { about: "More than one answer may hold, or a request with a body.", schema: "Error" },
  414: { about: "The address is too long.", schema: "Error" },
  422: { about: "A parameter that is not allowed, cannot be read, or would cost too much.", schema: "Error" },
  429: { about: "Too many requests; without Retry-After.", schema: "Error" },
  500: { about: "A numbered __or group.", schema: "Error" },
};

/** An OpenAPI 3.1 document; plain data. @param url origin of the server, without a final slash */
export function openApiDocument(version: string, url: string) {
  const paths = Object.values(endpoints).map((endpoint: Endpoint): [string, { get: JsonSchema }] => [
    openApiPath(endpoint),
    { get: operation(endpoint) },
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Content delivery and management read interface",
      version,
      description: "As Offprint reads it from a content platform, and answers it from a snapshot.",
    },
    servers: [{ url }],
    paths: Object.fromEntries(paths),
    components: { schemas: schemas(), securitySchemes: security },
  };
}

/** `/v2/cdn/stories/{identifier}` of `/v2/cdn/stories/:identifier`. */
export function openApiPath(endpoint: Endpoint): string {
  return endpoint.path.replace(/:(\w+)/g, "{$1}");
}

function operation(endpoint: Endpoint): JsonSchema {
  const parameters = [
    ...Object.entries(endpoint.pathParams).map(([name, { about, accepts }]) => ({
      name,
      in: "path",
      required: true,
      description: accepts === "slug" ? `${about}; it may hold slashes` : about,
      schema: accepts === "number" ? { type: "integer" } : { type: "string" },
    })),
    ...Object.entries(endpoint.params).map(([name, parameter]) => queryParameter(name, parameter)),
  ];
  return {
    operationId: endpoint.name,
    description: `Section ${endpoint.section} of the interface reference.`,
    // Plugins send their OAuth token to management reads too (docs/interface-reference.md, section 5).
    security: [{ [endpoint.auth]: [] }, ...(endpoint.auth === "personal" ? [{ bearer: [] }] : [])],
    parameters,
    responses: { ...successes(endpoint), ...problems(endpoint) },
  };
}

function queryParameter(name: string, { codec, about, default: assumed }: Parameter): JsonSchema {
  const base = { name, in: "query", description: `${about} (${codec.about})` };
  if (codec.kind === "brackets" && codec.schema !== undefined) return { ...base, schema: codec.schema };
  if (codec.kind === "brackets") {
    return { ...base, style: "deepObject", explode: true, schema: { type: "object", additionalProperties: true } };
  }
  const schema = { ...(codec.schema ?? { type: "string" }), ...(assumed !== undefined && { default: assumed }) };
  return { ...base, schema: "type" in schema && schema.type === "integer" ? withNumber(schema) : schema };
}

/** Writes the default of an integer as a number instead of a text. */
function withNumber(schema: JsonSchema): JsonSchema {
  return typeof schema.default === "string" ? { ...schema, default: Number(schema.default) } : schema;
}

function successes(endpoint: Endpoint): Record<string, JsonSchema> {
  const ok = {
    description: "The answer.",
    headers: successHeaders(endpoint),
    content: { "application/json": { schema: bodySchema(endpoint) } },
  };
  const notModified = { description: "What the ETag in If-None-Match names is still the answer." };
  if (endpoint.group !== "delivery" || endpoint.name === "spaceMe") return { 200: ok, 304: notModified };
  const moved = { description: "Published content is at the same address with the current cv, which Location names." };
  return { 200: ok, 301: moved, 304: notModified };
}

function successHeaders(endpoint: Endpoint): Record<string, JsonSchema> {
  const number = (description: string) => ({ required: true, description, schema: { type: "integer" } });
  const paging = { Total: number("Records of the whole list."), "Per-Page": number("Records of one page.") };
  const etag = { required: true, description: "Weak; for If-None-Match.", schema: { type: "string" } };
  return { ...(endpoint.paging && paging), ETag: etag };
}

function problems(endpoint: Endpoint): Record<string, JsonSchema> {
  const answers = Object.entries(errors).map(([status, { about, schema }]) => [
    status,
    { description: about, content: { "application/json": { schema: schemaRef(schema) } } },
  ]);
  return Object.fromEntries(endpoint.refusesUnknown ? answers : answers.filter(([status]) => status !== "500"));
}

/** Requires every envelope key but `assets` and alternatives (`rels` or `rel_uuids`). */
function bodySchema(endpoint: Endpoint): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(endpoint.envelope).map(([key, { about, shape, record }]) => {
      const schema = record === undefined ? bodySchemas[key]! : shapes[shape](schemaRef(record));
      return [key, "$ref" in schema ? schema : { description: about, ...schema }];
    }),
  );
  const replaced = ["rels", "rel_uuids", "links", "link_uuids", "assets"];
  const resolves = "rels" in endpoint.envelope;
  const required = Object.keys(properties).filter((key) => !resolves || !replaced.includes(key));
  const schema = { type: "object", required, properties, additionalProperties: false };
  return resolves ? { ...schema, allOf: [oneAtLeast("rels", "rel_uuids"), oneAtLeast("links", "link_uuids")] } : schema;
}

function oneAtLeast(...keys: string[]): JsonSchema {
  return { anyOf: keys.map((key) => ({ required: [key] })) };
}

function schemas(): Record<string, JsonSchema> {
  return {
    ...recordSchemas,
    SpaceInfo: withRedacted(recordSchemas.SpaceInfo!, { owner: redactedOwner }),
    WebhookEndpoint: withRedacted(recordSchemas.WebhookEndpoint!, redactedWebhookFields),
    Error: {
      type: "object",
      required: ["error"],
      properties: { error: { type: "string" } },
      additionalProperties: false,
    },
    NotFound: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 1 },
  };
}

/** Adds the redacted fields; their schemas follow from the redacted values. */
function withRedacted(schema: JsonSchema, redacted: Readonly<Record<string, unknown>>): JsonSchema {
  const { required, properties } = schema as { required: string[]; properties: Record<string, JsonSchema> };
  const kinds = redactedSchema(redacted) as { required: string[]; properties: Record<string, JsonSchema> };
  return {
    ...schema,
    required: [...new Set([...required, ...kinds.required])],
    properties: { ...properties, ...kinds.properties },
  };
}

function redactedSchema(value: unknown): JsonSchema {
  if (value === null) return { description: "redacted" };
  if (Array.isArray(value)) return { type: "array" };
  if (typeof value !== "object") return { type: typeof value };
  const entries = Object.entries(value);
  const properties = Object.fromEntries(entries.map(([name, inner]) => [name, redactedSchema(inner)]));
  return { type: "object", required: Object.keys(properties), properties };
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

function mapOf(values: JsonSchema): JsonSchema {
  return { type: "object", additionalProperties: values };
}

function one(record: JsonSchema): JsonSchema {
  return record;
}
