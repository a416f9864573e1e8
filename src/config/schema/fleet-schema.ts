import { isObject, type JsonSchema } from "../../lib/shape.js";
import { configSchema } from "./config-schema.js";
import { byDefault, mapping, optional, section } from "./section.js";
import { list, misfit, text, type ValueKind, wholeNumber } from "./value-kinds.js";
import { worker } from "./worker-schema.js";

/** Keys of the configuration, none of which has to be there: what they come to is checked for each space. */
const someKeys: ValueKind<Record<string, unknown>> = {
  schema: { description: "The keys of a file of one space, some of them or all.", $ref: "#/definitions/space" },
  read: (input) => (isObject(input) ? { value: input } : misfit("keys and values")),
};

const fleet = section("How several spaces are worked on.", {
  concurrency: byDefault(
    4,
    wholeNumber(1, 100),
    "Spaces that are read, rendered or verified at once, at most: each holds the index of its space in memory.",
  ),
});

/** A file of several spaces. */
export const fleetSchema = section(undefined, {
  defaults: optional(someKeys, "Keys that every space of this file has, unless it has others."),
  fleet: byDefault({}, fleet),
  worker: optional(worker),
  spaces: optional(mapping("The spaces by name, each with the keys that are its own.", someKeys)),
  files: optional(
    list(text("a path or a pattern such as spaces/*.yaml"), "paths and patterns", { notEmpty: true }),
    "Files of further spaces: paths, or patterns such as spaces/*.yaml. Each is complete in itself; its name is that of the space.",
  ),
});

/** The keys of a file of several spaces: with one of them, a file is one. */
export const fleetKeys = ["defaults", "fleet", "spaces", "files"] as const;

/** The JSON Schema of sync.config.yaml (draft 7), with which editors check and complete the file. */
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

/** The schema of some of the keys: what has to be there may also stand in the defaults. */
function withoutRequired({ required, oneOf, title, ...schema }: JsonSchema): JsonSchema {
  const { properties, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties !== undefined && { properties: eachOf(properties) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: withoutRequired(additionalProperties) }),
  };
}

function eachOf(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withoutRequired(schema)]));
}
