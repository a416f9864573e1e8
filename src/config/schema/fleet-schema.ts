import { isObject, type JsonSchema } from "../../lib/shape.js";
import { configSchema } from "./config-schema.js";
import { backendOf } from "./queue-address.js";
import { byDefault, mapping, optional, required, section } from "./section.js";
import { duration, list, misfit, text, type ValueKind, wholeNumber } from "./value-kinds.js";

/** Any keys of the configuration, all optional. Each space is checked after merging them. */
const someKeys: ValueKind<Record<string, unknown>> = {
  schema: { description: "The keys of a file of one space, some of them or all.", $ref: "#/definitions/space" },
  read: (input) => (isObject(input) ? { value: input } : misfit("keys and values")),
};

const queueName = /^[a-z][a-z0-9_]{0,31}$/;

export const worker = section("How `offprint worker` shares the spaces with the workers of other machines.", {
  /** The Redis or PostgreSQL that keeps the jobs. Better a variable than a password. */
  queue: required(
    text(
      "an address such as redis://host:6379/0, rediss:// or postgres://host/database",
      (written) => !!backendOf(written),
    ),
  ),
  /** What the keys in Redis begin with, or the schema in PostgreSQL: workers of one name share their spaces. */
  name: byDefault(
    "offprint",
    text("1 to 32 of the characters a-z 0-9 _, the first of them a letter", (written) => queueName.test(written), {
      pattern: queueName.source,
    }),
  ),
  /** Spaces that one worker syncs at once, at most. */
  concurrency: byDefault(4, wholeNumber(1, 100)),
  /** Within which time the space of a worker that was killed goes to another one. */
  takeOverMs: byDefault("1m", duration("1m", "1s", "1h")),
});

const fleet = section("How several spaces are worked on.", {
  /** Spaces that are read, rendered or verified at once, at most: each holds the index of its space in memory. */
  concurrency: byDefault(4, wholeNumber(1, 100)),
});

export const fleetSchema = section(undefined, {
  /** Keys that every space of this file has, unless it has others. */
  defaults: optional(someKeys),
  fleet: byDefault({}, fleet),
  worker: optional(worker),
  spaces: optional(mapping("The spaces by name, each with the keys that are its own.", someKeys)),
  /**
   * Files of further spaces: paths, or patterns such as spaces/*.yaml. Each is complete in itself; its name is that of
   * the space.
   */
  files: optional(list(text("a path or a pattern such as spaces/*.yaml"), "paths and patterns", { notEmpty: true })),
});

/** Any of these keys makes a file one with several spaces. */
export const fleetKeys = ["defaults", "fleet", "spaces", "files"] as const;

/** The JSON Schema (draft 7) with which editors check and complete sync.config.yaml. */
export function configJsonSchema(): JsonSchema {
  const { properties, required, ...about } = configSchema.schema;
  const isFleet = { anyOf: fleetKeys.map((key) => ({ required: [key] })) };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...about,
    properties: { ...properties, ...fleetSchema.schema.properties },
    if: isFleet,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: {
      propertyNames: { enum: [...fleetKeys, "worker"] },
      anyOf: [{ required: ["spaces"] }, { required: ["files"] }],
    },
    else: { required },
    definitions: { space: withoutRequired(configSchema.schema) },
  };
}

/** Makes every key optional, because the defaults may contain the required ones. */
function withoutRequired({ required, oneOf, title, ...schema }: JsonSchema): JsonSchema {
  const { properties, additionalProperties } = schema;
  const optional = Object.entries(properties ?? {}).map(([name, inner]) => [name, withoutRequired(inner)]);
  return {
    ...schema,
    ...(properties !== undefined && { properties: Object.fromEntries(optional) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: withoutRequired(additionalProperties) }),
  };
}
