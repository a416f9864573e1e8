import type { Config } from "../../config/config.js";
import type { Problem } from "../../lib/errors.js";
import type { NotedReader, Reader } from "../../snapshot/reader/reader.js";
import type { BlockRenderer } from "../render/render-context.js";
import type { TargetProfile } from "../render/target-profile.js";

/** What the files of a content tree are made from: one generation, the settings, and what the files report to. */
export interface ContentInputs {
  /** Says which files there are. */
  reader: Reader;
  /** Says what stands in them; every answer is noted, so that a file is rendered again when one of them changes. */
  read: NotedReader;
  config: Config;
  /** What reads the Markdown files. */
  target: TargetProfile;
  /** What stands in the content file at `path` for the asset with this URL; undefined leaves the URL. */
  assetUrl(url: string, path: string): string | undefined;
  /** Renderers of blocks inside rich text, by component. */
  blocks: ReadonlyMap<string, BlockRenderer>;
  /** Tells these renderers from earlier ones. */
  blocksVersion: string;
  /** Called around the rendering of each story of a file. */
  renderStory<T>(edition: string, uuid: string, render: () => T): T;
  report(problem: Problem): void;
}
