import { recordSchemas } from "../../../contract/record-schemas.js";
import { nameOf, type ObjectShape, objectShape, shapeFaults, typeIn } from "../../../contract/shape-faults.js";
import type { JsonSchema } from "../../../lib/shape.js";
import { kindOf, partRow, type UndescribedKind } from "../../../snapshot/part-kinds.js";
import type { JsonObject } from "../../resolve/content-shape.js";
import type { FoundFacts } from "./shard-facts.js";

/** The schema of the other kinds of part; null: the records do not come from the upstream. */
const schemas: Readonly<Record<UndescribedKind, JsonSchema | null>> = {
  space: {
    properties: {
      me: schemaNamed("Space"),
      info: schemaNamed("SpaceInfo"),
      webhookEndpoints: { type: "array", items: schemaNamed("WebhookEndpoint") },
    },
  },
  assets: null,
  "asset-metadata": schemaNamed("AssetMetadata"),
};

/** Undefined if the API describes no record of the part. */
export function shapeOfPart(part: string): ObjectShape | undefined {
  const kind = kindOf(part);
  if (kind === undefined) return undefined;
  const schema = partRow(part)?.record?.definition ?? schemas[kind as UndescribedKind];
  return schema === null ? undefined : objectShape(schema);
}

function schemaNamed(name: string): JsonSchema {
  return recordSchemas[name] ?? {};
}

/** Most faults per shard and kind of record: every record may have new keys. */
export const mostFaults = 50;
const longestKey = 200;

export class ShapeDraft {
  readonly #shape: ObjectShape | undefined;
  /** Values are never shown. */
  readonly #isSecret: boolean;
  readonly #faults = new Map<string, FoundFacts["shapeFaults"][number]>();

  constructor(part: string) {
    this.#shape = shapeOfPart(part);
    this.#isSecret = kindOf(part) === "space";
  }

  add(record: JsonObject, at: number): void {
    if (this.#shape === undefined) return;
    for (const { key: whole, found: value, path } of shapeFaults(record, this.#shape)) {
      const key = whole.slice(0, longestKey);
      const found = this.#isSecret && value !== null ? typeIn(value) : value;
      const name = nameOf({ key, found });
      const known = this.#faults.get(name);
      if (known !== undefined) known[2] += 1;
      else if (this.#faults.size < mostFaults) this.#faults.set(name, [key, found, 1, at, path.slice(0, longestKey)]);
    }
  }

  faults(): FoundFacts["shapeFaults"] {
    return [...this.#faults.values()];
  }
}
