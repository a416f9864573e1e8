import type { FieldTable, RecordTable } from "../contract/describe-record.js";
import {
  anything,
  isObject,
  type Misfit,
  matching,
  object,
  optional,
  orNull,
  pathText,
  shape,
  shapeBy,
  text,
  wholeNumber,
} from "../lib/shape.js";
import type { AssetRecord } from "./manifest.js";
import { kindOf, partRow, type UndescribedKind } from "./part-kinds.js";

const hash = matching("a SHA-256 in hexadecimal digits", /^[0-9a-f]{64}$/);

/** A file name in its own folder, which leads nowhere else. */
const fileName = shape<string>("the name of a file", (name) => {
  return typeof name === "string" && !["", ".", ".."].includes(name) && !/[/\\\0]/.test(name);
});

const anyAsset = object<AssetRecord>({
  key: text,
  url: text,
  hash: orNull(hash),
  name: text,
  type: text,
  bytes: wholeNumber,
  uses: wholeNumber,
});

/** A record of part `assets`. An asset's name becomes a path, so it must not leave its folder. */
export const assetRecordShape = shapeBy<AssetRecord>(assetMisfit);

function assetMisfit(value: unknown): Misfit | undefined {
  const misfit = anyAsset.misfit(value);
  if (misfit !== undefined || !isObject(value) || value.hash === null) return misfit;
  return object<{ name: string }>({ name: fileName }).misfit(value);
}

/** Every stored record has its needed fields: a sync skips records without them. */
function neededMisfit(table: RecordTable<unknown>, value: unknown): Misfit | undefined {
  if (table.usable(value) !== undefined) return undefined;
  return table.misfits(value).find(({ path: [field] }) => isNeeded(table, field)) ?? table.misfits(value)[0];
}

function isNeeded({ fields }: FieldTable, field: string | number | undefined): boolean {
  const row = field === undefined ? undefined : (fields[field] as { check?: string } | undefined);
  return row === undefined || row.check === "needed";
}

const misfits: Record<UndescribedKind, (value: unknown) => Misfit | undefined> = {
  space: object<Record<string, unknown>>({ me: optional(shape("an object", isObject)) }).misfit,
  assets: assetRecordShape.misfit,
  "asset-metadata": object<{ id: unknown }>({ id: anything }).misfit,
};

/** What is wrong with a stored record, as the end of a sentence that begins with it; undefined if nothing. */
export function recordFault(part: string, value: unknown): string | undefined {
  const table = partRow(part)?.record;
  const misfit = table ? neededMisfit(table, value) : misfits[kindOf(part) as UndescribedKind]?.(value);
  if (misfit === undefined) return undefined;
  if (misfit.path.length === 0) return `that should be ${misfit.expected}`;
  return `whose field ${pathText(misfit.path)} should be ${misfit.expected}`;
}
