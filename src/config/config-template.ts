// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax of the file that is written here.
import { OffprintError } from "../errors.js";
import type { ContentTarget } from "./config.js";
import type { Region } from "./region-hosts.js";
import { isDemoUrl, sourceUrl } from "./source-url.js";
import { looksLikeToken } from "./token-like.js";

export interface TemplateOptions {
  region?: Region | undefined;
  /** Address of the content delivery interface, in place of a region. */
  url?: string | undefined;
  /** Value of `content.target`; default: `plain`. */
  target?: ContentTarget | undefined;
  /** Value of `output.dir`; default: `output`. */
  outputDir?: string | undefined;
  /** Value of `content.dir`; without it, the line is a comment. */
  contentDir?: string | undefined;
  /** Value of `content.formats`; default: both. */
  formats?: readonly ("json" | "markdown")[] | undefined;
  /** Value of `assets.dir`. */
  assetsDir?: string | undefined;
  /** Value of `assets.baseUrl`. */
  assetsBaseUrl?: string | undefined;
}

/**
 * The sync.config.yaml that `offprint init` writes. Unless `url` is that of the demo space, the token has no default:
 * without the secret, a build must fail instead of publishing the demo.
 *
 * @throws OffprintError USAGE when both a region and a url are given, or the url is none.
 */
export function configTemplate(options: TemplateOptions = {}): string {
  return `# yaml-language-server: $schema=./node_modules/offprint/config/sync.config.schema.json
#
# What Offprint reads, and where it writes. The package's docs/configuration.md explains every key.
# \${NAME} reads an environment variable, or .env beside this file; \${NAME:-default} where it may be missing.

source:
${sourceLines(options)}
${tokenLine(options)}
  versions: [published]              # published, draft; drafts need a preview token
  languages: all                     # or a list: [default, de]
  # include:
  #   startsWith: [blog/]            # only stories whose full slug starts with one of these
  #   contentTypes: [article, page]  # only stories of these content types

output:
${`  dir: ${options.outputDir ?? "output"}`.padEnd(36)} # the snapshot; keep it in the cache of your CI, or commit it

assets:
  download: true                     # false: content keeps the addresses of the upstream
${assetLines(options)}  # onFailure: fail                  # an asset that cannot be had ends the build; keep: content names its address

content:
${contentDirLine(options)}
  target: ${options.target ?? "plain"}
  formats: [${(options.formats ?? ["json", "markdown"]).join(", ")}]
  # types:
  #   article: { body: text }        # the field that becomes the body of the Markdown file
`;
}

/** Empty, or whole lines. */
function assetLines({ assetsDir, assetsBaseUrl }: TemplateOptions): string {
  const dir = assetsDir === undefined ? "" : `${`  dir: ${assetsDir}`.padEnd(36)} # where the site serves them from\n`;
  const base =
    assetsBaseUrl === undefined
      ? ""
      : `${`  baseUrl: ${assetsBaseUrl}`.padEnd(36)} # and the path that they have there\n`;
  return dir + base;
}

function contentDirLine({ contentDir }: TemplateOptions): string {
  return contentDir === undefined
    ? "  # dir: src/content/cms             # where your site build looks; without it, content in the output folder"
    : `${`  dir: ${contentDir}`.padEnd(36)} # where the build of the site looks`;
}

/** The token of the demo space is public, and valid for no other address. */
function tokenLine({ url }: TemplateOptions): string {
  return url !== undefined && isDemoUrl(url)
    ? "  token: ${OFFPRINT_TOKEN:-demo}      # the demo space needs none of yours; any other address does"
    : "  token: ${OFFPRINT_TOKEN}            # never write the token itself here: this file is committed";
}

function sourceLines({ region, url }: TemplateOptions): string {
  if (region !== undefined && url !== undefined) {
    throw new OffprintError("USAGE", "A region and a url were given", { hint: "Give one of the two." });
  }
  if (region !== undefined) return `  region: ${region.padEnd(26)} # eu, us, ca, ap or cn; or url: in its place`;
  if (url === undefined) return "  url: ${OFFPRINT_URL}                # https://…; or region: eu, us, ca, ap or cn";
  const reading = sourceUrl.read(url);
  if ("value" in reading) return `  url: ${JSON.stringify(reading.value)}`;
  const [misfit] = reading.misfits;
  throw new OffprintError(
    "USAGE",
    `The url expects ${misfit?.expects}, not ${looksLikeToken(url) ? "this text" : JSON.stringify(url)}`,
    {
      hint: misfit?.hint ?? "",
    },
  );
}
