import type { ElementContent } from "hast";
import type { RootContent } from "mdast";
import type { ContentTypeSetting } from "../../config/config.js";
import type { Blok } from "../../contract/records.js";
import type { FindPage } from "./site-pages.js";
import type { TargetProfile } from "./target-profile.js";

/** How blocks of one component are shown. Without a function for Markdown or HTML they are shown like all others. */
export interface BlockRenderer {
  markdown?(block: Blok, context: RenderContext): RootContent[];
  html?(block: Blok, context: RenderContext): ElementContent[];
}

/** What rendering needs besides the content. */
export interface RenderContext {
  /** The site's URL of a story, by its full slug. */
  storyUrl(fullSlug: string): string;
  /** The name of a story; undefined if it is not known. */
  storyName?(uuid: string): string | undefined;
  /** Called with what is not known and was kept as plain text: `node "chart"`. */
  unknown(what: string): void;
  /** Finds the page at an address; undefined: links in Markdown are not checked. */
  findPage?: FindPage;
  /** Called for each link of an editor to an address of the site without a story, with the path of its field. */
  deadLink?(address: string, path: string | undefined): void;
  /** True if the surrounding text runs from right to left. */
  isInRightToLeft?: boolean;
  /** What reads the Markdown; default: nothing beyond CommonMark. */
  target?: TargetProfile;
  /** The setting of a component (`content.types`). */
  setting?(component: string): ContentTypeSetting | undefined;
  /** How a field is used across the space, where enough values tell; the value at hand may still be another one. */
  fieldUse?(component: string, field: string): "option" | "prose" | undefined;
  /** The field of a content type that says when its stories appeared, as the whole space shows it; else a story's own fields decide. */
  dateField?(component: string): string | undefined;
  /** Renderers of blocks, by component. */
  blocks: ReadonlyMap<string, BlockRenderer>;
}
