import { type JsonSchema, orNull } from "../lib/shape.js";
import { kinds, objectOf } from "./record-kinds.js";
import { fieldTables } from "./record-table.js";

const [id, text, uuid] = [kinds.id.schema, kinds.text.schema, kinds.uuid.schema];

/** The schemas of records by their OpenAPI names. */
export const recordSchemas: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(
    fieldTables.flatMap((table) =>
      "definition" in table && table.component !== undefined ? [[table.component, table.definition]] : [],
    ),
  ),
  Blok: {
    type: "object",
    description: "A block, or the content of a story; what else it has depends on the component.",
    required: ["_uid", "component"],
    properties: { _uid: text, component: text },
  },
  LinkedStory: {
    type: "object",
    description: "The least of a linked story: resolve_links=url.",
    required: ["id", "name", "slug", "full_slug", "url", "uuid"],
    properties: { id, name: text, slug: text, full_slug: text, url: text, uuid },
  },
  AssetMetadata: {
    type: "object",
    description: "An asset of the answer's stories: resolve_assets=1.",
    required: [
      ...["id", "content_type", "content_length", "alt", "title"],
      ...["copyright", "focus", "s3_filename", "meta_data"],
    ],
    properties: { id, s3_filename: text, meta_data: orNull(objectOf()).schema },
  },
};
