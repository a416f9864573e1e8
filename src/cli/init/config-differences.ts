// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax of the file that is read here.
import { type ConfigDocument, type KeyPath, parseConfigDocument } from "../../config/config-document.js";
import { valueAt } from "../../config/load/config-problems.js";
import { demoToken, isDemoTokenElsewhere, isDemoUrl, sourceUrl } from "../../config/schema/source-url.js";
import type { TemplateOptions } from "./init-files.js";

/** Lists keys with another value than `wanted`: `key: value in place of …`. Compares with no variable set. */
export function configDifferences(text: string, wanted: TemplateOptions): string[] {
  const document = parseConfigDocument(text, {});
  return [
    ...placeDifference(document, wanted),
    ...tokenDifference(document, wanted),
    ...siteDifferences(document, wanted),
  ];
}

/** True if the file names the demo space, directly or as the default of a variable. */
export function namesDemo(text: string): boolean {
  return isDemoUrl(valueAt(parseConfigDocument(text, {}).values, urlPath));
}

const urlPath = ["source", "url"];
const regionPath = ["source", "region"];

function placeDifference(document: ConfigDocument, { region, url }: TemplateOptions): string[] {
  if (region === undefined && url === undefined) return [];
  const thereUrl = valueAt(document.values, urlPath);
  const thereRegion = valueAt(document.values, regionPath);
  if (region !== undefined) {
    if (thereUrl === undefined && thereRegion === region) return [];
    const there = thereUrl === undefined ? shownText(document, regionPath) : `source.url: ${shownUrl(document)}`;
    return [change("source.region", region, there)];
  }
  const origin = originOf(url);
  if (thereRegion === undefined && originOf(thereUrl) === origin) return [];
  const ofRegion = `source.region: ${shownText(document, regionPath)}`;
  const there = thereRegion !== undefined ? ofRegion : thereUrl === undefined ? undefined : shownUrl(document);
  return [change("source.url", JSON.stringify(origin), there)];
}

/** Never shows the token itself. */
function tokenDifference(document: ConfigDocument, { region, url }: TemplateOptions): string[] {
  if (region === undefined && url === undefined) return [];
  const token = valueAt(document.values, ["source", "token"]);
  if (isDemoUrl(url)) return token === demoToken ? [] : [change("source.token", "${OFFPRINT_TOKEN:-demo}")];
  return isDemoTokenElsewhere(url, token) ? [change("source.token", "${OFFPRINT_TOKEN}")] : [];
}

function siteDifferences(document: ConfigDocument, wanted: TemplateOptions): string[] {
  const { formats = [], assetsDir } = wanted;
  const texts: Readonly<Record<string, string | undefined>> = {
    "output.dir": wanted.outputDir,
    "content.target": wanted.target,
    "content.dir": wanted.contentDir,
    "assets.dir": assetsDir,
    "assets.baseUrl": wanted.assetsBaseUrl,
    "resolve.depth": wanted.depth?.toString(),
    "resolve.links.pattern": wanted.linkPattern,
    "content.richText": wanted.richText,
  };
  const written = valueAt(document.values, ["content", "formats"]);
  const missing = Array.isArray(written) ? formats.filter((format) => !written.includes(format)) : [];
  const download = String(valueAt(document.values, ["assets", "download"]) ?? false);
  return [
    ...Object.entries(texts).flatMap(([key, value]) => textDifference(document, key, value)),
    ...(missing.length === 0 ? [] : [change("content.formats", `[${formats.join(", ")}]`)]),
    ...(assetsDir === undefined || download === "true" ? [] : [change("assets.download", "true")]),
  ];
}

function textDifference(document: ConfigDocument, key: string, wanted: string | undefined): string[] {
  const path = key.split(".");
  const there = valueAt(document.values, path) ?? defaults[key];
  if (wanted === undefined || (there !== undefined && samePath(String(there)) === samePath(wanted))) return [];
  return [change(key, wanted, shownText(document, path))];
}

const defaults: Readonly<Record<string, string>> = { "output.dir": "output", "content.target": "plain" };

/** `cms`, `./cms` and `cms/` are the same folder. */
function samePath(path: string): string {
  return path.trim().replace(/^(?:\.\/)+|\/+$/g, "");
}

function change(key: string, wanted: string, there?: string): string {
  return `${key}: ${wanted}${there === undefined ? "" : ` in place of ${there}`}`;
}

function shownText(document: ConfigDocument, path: KeyPath): string | undefined {
  return document.written(path)?.trim();
}

/** The address with secrets redacted, or the variable as written. */
function shownUrl(document: ConfigDocument): string {
  const written = document.written(urlPath)?.trim() ?? "";
  const origin = originOf(valueAt(document.values, urlPath));
  if (/^\$\{\w+(?::-[^}]*)?\}$/.test(written) && (origin !== undefined || !written.includes(":-"))) return written;
  return origin === undefined ? "what stands there" : JSON.stringify(origin);
}

function originOf(url: unknown): string | undefined {
  const reading = sourceUrl.read(url);
  return "value" in reading ? reading.value : undefined;
}
