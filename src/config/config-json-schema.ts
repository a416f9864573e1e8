import { z } from "zod";
import { configSchema } from "./config-schema.js";

/** The JSON Schema of sync.config.yaml (draft 7), with descriptions and defaults, so that editors check and complete it. */
export function configJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(configSchema, {
    io: "input",
    target: "draft-7",
    override: ({ jsonSchema }) => {
      // A section's default is that of its keys; `{}` says nothing, and an editor would insert it.
      if (jsonSchema.type === "object") delete jsonSchema.default;
    },
  });
}
