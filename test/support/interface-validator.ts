import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { openApiDocument, openApiPath } from "../../src/contract/openapi.js";
import { matchRequest } from "../../src/contract/request.js";

/** One answer of the interface. */
export interface InterfaceAnswer {
  /** Path and query, of any origin. */
  url: string;
  method?: string;
  status: number;
  headers: Headers;
  /** The parsed body; undefined when it is empty. */
  body: unknown;
}

interface OpenApiResponse {
  headers?: Record<string, { required?: boolean; schema: { type: string } }>;
  content?: { "application/json": { schema: object } };
}

type Schema = { required?: string[]; [key: string]: unknown };

const document = openApiDocument("0.0.0", "http://127.0.0.1");
const validators = new Map<string, ValidateFunction>();

/**
 * The differences between an answer and the OpenAPI document of the interface; empty if there are
 * none. Fields that the request itself excludes may be missing.
 */
export function interfaceProblems({ url, method = "GET", status, headers, body }: InterfaceAnswer): string[] {
  const { pathname, search, searchParams } = new URL(url, "http://127.0.0.1");
  const match = matchRequest(pathname, search);
  // Answered before there is an endpoint: a path that is not routed, another method, an address that is too long.
  if (match === undefined || status === 405 || method === "OPTIONS" || status >= 502) return [];
  const path = openApiPath(match.endpoint);
  const responses = document.paths[path]?.get.responses as Record<string, OpenApiResponse> | undefined;
  const response = responses?.[status];
  if (response === undefined) return [`${path} has no answer ${status}`];
  const problems = headerProblems(response, headers);
  const schema = response.content?.["application/json"].schema;
  if (schema === undefined || method === "HEAD") return problems;
  const excluded = [searchParams.get("excluding_fields"), searchParams.get("excluding_story_fields")].join(",");
  const validate = validatorOf(`${path} ${status} ${excluded}`, schema, excluded.split(","));
  if (!validate(body)) {
    for (const { instancePath, message } of validate.errors ?? []) problems.push(`${path}${instancePath} ${message}`);
  }
  return problems;
}

function headerProblems({ headers: described = {} }: OpenApiResponse, headers: Headers): string[] {
  return Object.entries(described).flatMap(([name, { required, schema }]) => {
    const value = headers.get(name);
    if (value === null) return required ? [`the header ${name} is missing`] : [];
    return schema.type === "integer" && !/^\d+$/.test(value) ? [`the header ${name} is ${value}`] : [];
  });
}

function validatorOf(key: string, schema: object, excluded: readonly string[]): ValidateFunction {
  const known = validators.get(key);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  formats.default(ajv);
  const schemas = document.components.schemas as Record<string, Schema>;
  for (const [name, component] of Object.entries(schemas)) {
    const required = (component.required ?? []).filter((field) => !excluded.includes(field));
    const adapted = name === "Story" || name === "Blok" ? { ...component, required } : component;
    ajv.addSchema(adapted, `#/components/schemas/${name}`);
  }
  const validate = ajv.compile(schema);
  validators.set(key, validate);
  return validate;
}
