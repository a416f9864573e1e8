import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Config } from "../../config/config.js";
import { OffprintError } from "../../lib/errors.js";
import { memberText } from "../../lib/json/member.js";
import { isObject } from "../../lib/shape.js";
import { parts } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { readPart } from "../../snapshot/read-part.js";
import { errnoOf, fileError } from "../../snapshot/store/file-error.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import type { Store } from "../../snapshot/store/store.js";
import { isBlock } from "../resolve/content-shape.js";
import { relationFields } from "../resolve/relations.js";
import { visitValue } from "../resolve/rewrite-value.js";
import {
  type ContentLock,
  compareLocks,
  contentLock,
  lockText,
  parseLock,
  type ShapeDifference,
} from "./content-lock.js";
import { readContentModel } from "./read-content-model.js";

/** A generation, or one that is not committed yet. */
type Shaped = Pick<Manifest, "editions" | "parts">;

export interface ShownDifference extends ShapeDifference {
  example: { uuid: string; slug: string; path: string | undefined; edition: string } | null;
}

/** Undefined without a lock. @throws OffprintError `USAGE` if the file is no lock; `SNAPSHOT_DAMAGED` */
export async function contentDrift(
  store: Store,
  manifest: Shaped,
  config: Pick<Config, "check" | "resolve">,
): Promise<ShownDifference[] | undefined> {
  const lock = await readLock(config.check.lock);
  if (lock === undefined) return undefined;
  const differences = compareLocks(lock, await lockOfGeneration(store, manifest, config));
  const shown: ShownDifference[] = [];
  for (const difference of differences) {
    shown.push({ ...difference, example: await exampleOf(store, manifest, difference) });
  }
  return shown;
}

export async function lockOfGeneration(
  store: Store,
  manifest: Shaped,
  { resolve }: Pick<Config, "resolve">,
): Promise<ContentLock> {
  const relations = relationFields(resolve.relations);
  const { model } = await readContentModel(store, manifest, { relations, assetMetadata: false });
  return contentLock(model);
}

/** @returns undefined if there is no such file @throws OffprintError `USAGE` if it is no lock */
export async function readLock(path: string): Promise<ContentLock | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return undefined;
    throw fileError(error, path);
  });
  if (text === undefined) return undefined;
  const lock = parseLock(text);
  if (lock !== undefined) return lock;
  throw new OffprintError("USAGE", `${path} is not a content lock written by offprint.`, {
    hint: "Name another file (check.lock), or remove it and run `offprint check --write-lock`.",
  });
}

/** Replaces the lock by one rename. @throws OffprintError `USAGE` if another file is there */
export async function writeLock(path: string, lock: ContentLock): Promise<void> {
  await readLock(path);
  await openFileStore(dirname(path)).replace(basename(path), Buffer.from(lockText(lock)));
}

/** The first story with a block of the component, which has the field where the content has it. */
async function exampleOf(
  store: Store,
  { editions, parts: entries }: Shaped,
  { component, field, found, kind }: ShapeDifference,
): Promise<ShownDifference["example"]> {
  if (kind === "component-vanished") return null;
  const mark = `"component":${JSON.stringify(component)}`;
  for (const { name } of editions) {
    const part = parts.stories(name);
    for await (const { line } of readPart(store, part, entries[part])) {
      if (!line.includes(mark)) continue;
      const record: unknown = JSON.parse(line);
      if (!isObject(record) || !showsIt(record.content, component, found === null ? null : field)) continue;
      const [uuid, slug] = [String(record.uuid), String(record.full_slug)];
      return { uuid, slug, path: memberText(line, "path"), edition: name };
    }
  }
  return null;
}

function showsIt(content: unknown, component: string, field: string | null): boolean {
  let shows = false;
  visitValue(content, (value) => {
    if (isBlock(value) && value.component === component) shows ||= field === null || Object.hasOwn(value, field);
  });
  return shows;
}
