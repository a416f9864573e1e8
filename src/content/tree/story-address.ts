import type { Config } from "../../config/config.js";
import { pageUrl } from "../render/resolve-story.js";
import { targets } from "../render/targets.js";

/** The site's URL of a full slug in a language, as content names it. */
export function storyAddress({ resolve, content }: Config): (fullSlug: string, language: string) => string {
  const target = targets[content.target];
  return (fullSlug, language) => pageUrl(fullSlug, language, resolve.links, target);
}
