import type { ElementContent } from "hast";
import type { RootContent } from "mdast";
import type { ContentTypeSetting } from "../config/config.js";
import type { Blok } from "../contract/records.js";
import type { FindPage } from "./site-pages.js";
import type { TargetProfile } from "./target-profile.js";

/** How blocks of one component are shown; what is left out falls back to how all blocks are. */
export interface BlockRenderer {
  markdown?(block: Blok, context: RenderContext): RootContent[];
  html?(block: Blok, context: RenderContext): ElementContent[];
}

/** What rendering a story needs to know beside its content. */
export interface RenderContext {
  /** The site's URL of a story, by its full slug. */
  storyUrl(fullSlug: string): string;
  /** Called with what was not understood and kept as plain text: `node "chart"`. */
  unknown(what: string): void;
  /** Finds the page behind an address; undefined: links of Markdown are not followed. */
  findPage?: FindPage;
  /**
   * Called for each link in an editor's Markdown to an address of the site at which no story is; `path` is the field
   * that says so, `body[0].text`.
   */
  deadLink?(address: string, path: string | undefined): void;
  /** Whether text around the current one runs from right to left. */
  isInRightToLeft?: boolean;
  /** What reads the Markdown; default: nothing beyond CommonMark. */
  target?: TargetProfile;
  /** What the configuration says of a component (`content.types`). */
  setting?(component: string): ContentTypeSetting | undefined;
  /** By component. */
  blocks: ReadonlyMap<string, BlockRenderer>;
}
