import type { Region } from "../../config/region-hosts.js";
import { isDemoUrl, sourceUrl } from "../../config/schema/source-url.js";
import { looksLikeToken } from "../../config/token-like.js";
import { OffprintError } from "../../lib/errors.js";
import { filledTemplate } from "./sites/filled-template.js";
import type { SiteConfig } from "./sites/framework.js";

export interface TemplateOptions extends SiteConfig {
  region?: Region | undefined;
  url?: string | undefined;
}

/** The token has no default but for the demo: without the secret, no build may publish it. @throws OffprintError */
export function configTemplate(options: TemplateOptions = {}): string {
  const { region, url, target = "plain", outputDir = "output", contentDir, assetsDir, assetsBaseUrl } = options;
  if (region !== undefined && url !== undefined) {
    throw new OffprintError("USAGE", "A region and a url were given", { hint: "Give one of the two." });
  }
  // The demo space's token is public and valid for no other address.
  const isDemo = url !== undefined && isDemoUrl(url);
  return filledTemplate("sync.config.yaml", {
    REGION: region,
    URL: url === undefined ? undefined : JSON.stringify(readUrl(url)),
    NO_PLACE: region === undefined && url === undefined,
    DEMO: isDemo,
    NO_DEMO: !isDemo,
    OUTPUT_DIR: outputDir,
    ASSETS_DIR: assetsDir,
    ASSETS_BASE_URL: assetsBaseUrl,
    CONTENT_DIR: contentDir,
    NO_CONTENT_DIR: contentDir === undefined,
    TARGET: target,
    RESOLVES: options.depth !== undefined || options.linkPattern !== undefined,
    DEPTH: options.depth?.toString(),
    LINK_PATTERN: options.linkPattern,
    RICH_TEXT: options.richText,
    FORMATS: `[${(options.formats ?? ["json", "markdown"]).join(", ")}]`,
  });
}

function readUrl(url: string): string {
  const reading = sourceUrl.read(url);
  if ("value" in reading) return reading.value;
  const [misfit] = reading.misfits;
  const shown = looksLikeToken(url) ? "this text" : JSON.stringify(url);
  throw new OffprintError("USAGE", `The url expects ${misfit?.expects}, not ${shown}`, { hint: misfit?.hint ?? "" });
}
