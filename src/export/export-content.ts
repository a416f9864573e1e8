import { createHash } from "node:crypto";
import type { Config } from "../config/config.js";
import { OffprintError, type Problem } from "../errors.js";
import type { Reader } from "../reader/reader.js";
import type { AssetRecord } from "../snapshot/manifest.js";
import type { Store } from "../store/store.js";
import type { ContentChanges } from "./content-changes.js";

export interface ExportOptions {
  reader: Reader;
  config: Pick<Config, "resolve" | "assets" | "content" | "output">;
  /** Rooted at the content folder. */
  store: Store;
  /** What the sync changed, for changes.json; undefined: none is written, and one of another generation is removed. */
  changes?: ContentChanges;
  /** Path of a fetched asset below the output folder (`assets/<hash>/<name>`); undefined: asset URLs stay as they are. */
  assetPath?: (asset: AssetRecord & { hash: string }) => string;
}

export interface ExportReport {
  /** Files created or replaced. */
  written: number;
  /** Files of an earlier export that have no place any more. */
  removed: number;
  /** Files that were there with the same bytes, and were not touched. */
  unchanged: number;
  problems: Problem[];
}

/** Writes the content tree of a generation. */
export async function exportContent(_options: ExportOptions): Promise<ExportReport> {
  throw new OffprintError("UNEXPECTED", "not there yet");
}
/** Whether the content tree is whole, of this generation and of these settings; reads index.json only. */
export async function contentIsCurrent(_store: Store, _generation: number, _settings: string): Promise<boolean> {
  return false;
}
/** Hash of every setting that shapes the content tree. */
export function contentSettings(_config: Config): string {
  return createHash("sha256").digest("hex");
}
