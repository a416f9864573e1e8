import type { ElementContent } from "hast";
import type { RootContent } from "mdast";
import type { Blok } from "../contract/records.js";
import type { Target } from "./targets.js";

/** How blocks of one component are shown inside rich text; what is left out falls back to a list of the block's fields. */
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
  /** What reads the Markdown; default: nothing beyond CommonMark. */
  target?: Target;
  /** By component. */
  blocks: ReadonlyMap<string, BlockRenderer>;
}
