import type { Config } from "../../config/config.js";
import type { Problem } from "../../lib/errors.js";
import type { NotedReader, Reader } from "../../snapshot/reader/reader.js";
import type { BlockRenderer } from "../render/render-context.js";
import type { TargetProfile } from "../render/target-profile.js";
import type { PageKeys } from "./page-keys.js";

/** The inputs of a content tree's files: one generation, the settings, and the collector of problems. */
export interface ContentInputs {
  /** Says which files there are. */
  reader: Reader;
  /** Provides their contents; every answer is noted, so that a file is rendered again when one of them changes. */
  read: NotedReader;
  config: Config;
  /** What reads the Markdown files. */
  target: TargetProfile;
  /** The address in the content file at `path` for the asset with this URL; undefined leaves the URL. */
  assetUrl(url: string, path: string): string | undefined;
  /** Renderers of blocks inside rich text, by component. */
  blocks: ReadonlyMap<string, BlockRenderer>;
  /** A version of these renderers. */
  blocksVersion: string;
  /** Default: those of `links-files.ts`. */
  linksLimits?: LinksLimits | undefined;
  /** The keys of the pages that are in their place; default: no page has one. */
  pageKeys?: Pick<PageKeys, "get" | "isDue"> | undefined;
  report(problem: Problem): void;
}

/** When the rows of stories and folders are several files. */
export interface LinksLimits {
  /** The most rows that are one file, `links.json`. */
  rows: number;
  /** The most rows of one file `links/<prefix>.json`, where there are several. */
  rowsOfFile: number;
}
