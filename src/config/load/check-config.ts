import { dirname, isAbsolute, parse, relative, resolve, sep } from "node:path";
import { cronProblem } from "../cron.js";
import type { WrittenConfig } from "../schema/config-schema.js";
import { parsePathPattern } from "../schema/path-pattern.js";
import { hostsOfOrigin } from "../schema/region-hosts.js";
import { isDemoTokenElsewhere, sourceUrl } from "../schema/source-url.js";
import { isTimeZone } from "../schema/watch-schema.js";
import { type ValueProblem, valueAt } from "./config-problems.js";

/** Finds problems between keys. Works on the written values, to report them with problems of single values. */
export function checkConfig(values: WrittenConfig, baseDir: string): ValueProblem[] {
  return [
    ...checkSource(values),
    ...checkManagement(values),
    ...checkRelated(values),
    ...checkLanguages(values.source?.languages),
    ...checkFolders(values, baseDir),
    ...checkPaths(values),
    ...checkSchedule(values),
    ...checkCron(values),
    ...checkWebhooks(values),
  ];
}

function atKey(path: string, message: string, hint: string): ValueProblem[] {
  return [{ path: path.split("."), message, hint, atKey: true }];
}

function checkSource({ source: { url, region, token } = {} }: WrittenConfig): ValueProblem[] {
  if (url === undefined && region === undefined) {
    const hint = "Write url: with the address of the content delivery interface, or region: eu, us, ca, ap or cn.";
    return atKey("source", "needs url or region", hint);
  }
  if (url !== undefined && region !== undefined) {
    return atKey("source.region", "cannot be set together with url", "Keep one of the two.");
  }
  if (!isDemoTokenElsewhere(url, token)) return [];
  const hint =
    "Set OFFPRINT_TOKEN in the environment or in .env, where source.token reads it, to a token of the space.";
  return [{ path: ["source", "token"], message: "is missing: demo is the token of the demo space only", hint }];
}

function checkManagement({ source }: WrittenConfig): ValueProblem[] {
  if (source?.management === undefined) return [];
  const { url, token, spaceId, oauthUrl, oauthToken, webhookEndpoints } = source.management;
  const readsWebhooks =
    webhookEndpoints !== undefined && !(Array.isArray(webhookEndpoints) && webhookEndpoints.length === 0);
  const needs = (condition: boolean, message: string, hint: string) =>
    condition ? atKey("source.management", message, hint) : [];
  return [
    ...needs(
      token !== undefined && url === undefined && !isRegion(source),
      "needs url",
      "Write url: with the address of the management interface, or source.region in place of source.url.",
    ),
    ...needs(
      url !== undefined && token === undefined,
      "needs token",
      "Write token: with a personal access token, or leave out url.",
    ),
    ...needs(
      readsWebhooks && token === undefined,
      "needs token to read webhookEndpoints",
      "Write token: with a personal access token, or leave out webhookEndpoints.",
    ),
    ...needs(
      readsWebhooks && spaceId === undefined,
      "needs spaceId to read webhookEndpoints",
      "Write spaceId: with the number of the space.",
    ),
    ...needs(
      (oauthUrl === undefined) !== (oauthToken === undefined),
      oauthUrl === undefined ? "needs oauthUrl" : "needs oauthToken",
      "Write both, or neither.",
    ),
  ];
}

function checkRelated({ source, resolve }: WrittenConfig): ValueProblem[] {
  const isOn = source?.include?.related === true || source?.include?.related === "true";
  if (!isOn || resolve?.relations !== "none") return [];
  const hint = "Set resolve.relations to all, or to the fields whose stories to read.";
  return [{ path: ["source", "include", "related"], message: "needs relations, but resolve.relations is none", hint }];
}

function checkLanguages(languages: unknown): ValueProblem[] {
  if (!Array.isArray(languages)) return [];
  const codes = languages.map((language: unknown) => valueAt(language, ["code"]) ?? language);
  return languages.flatMap((language: unknown, index): ValueProblem[] => {
    const path = ["source", "languages", index];
    if (valueAt(language, ["fallback"]) === codes[index]) return [{ path, message: "falls back to itself" }];
    const isMixed = typeof language !== typeof languages[codes.indexOf(codes[index])];
    return isMixed ? [{ path, message: "expects each language once, not a second time" }] : [];
  });
}

function checkPaths({ content }: WrittenConfig): ValueProblem[] {
  const isByUuid = typeof content?.paths === "string" && parsePathPattern(content.paths.trim())?.file === "uuid";
  if (!isByUuid || content?.target !== "vitepress") return [];
  const hint = "End it with {slug}: VitePress finds a page by the place of its file.";
  return [{ path: ["content", "paths"], message: "has to end with {slug} for content.target: vitepress", hint }];
}

function checkSchedule({ schedule }: WrittenConfig): ValueProblem[] {
  if (schedule?.every !== undefined && schedule.cron !== undefined) {
    return atKey("schedule.cron", "cannot be set together with every", "Keep one of the two.");
  }
  if (schedule?.timeZone !== undefined && schedule.cron === undefined) {
    const hint = "Write cron:, or leave out timeZone: an interval is the same in every zone.";
    return atKey("schedule.timeZone", "has no effect without cron", hint);
  }
  return [];
}

function checkCron({ schedule }: WrittenConfig): ValueProblem[] {
  if (typeof schedule?.cron !== "string") return [];
  // An unknown time zone is reported separately.
  const zone = typeof schedule.timeZone === "string" && isTimeZone(schedule.timeZone) ? schedule.timeZone : undefined;
  const problem = cronProblem(schedule.cron, zone, Date.now());
  if (problem === undefined) return [];
  const hint = "Write minute, hour, day of month, month and day of week, such as 13 * * * *.";
  return [{ path: ["schedule", "cron"], message: `is not a valid cron expression: ${problem}`, hint }];
}

function checkWebhooks({ webhooks }: WrittenConfig): ValueProblem[] {
  const { secret, signature } = webhooks ?? {};
  if (signature !== "standard" || typeof secret !== "string" || isStandardSecret(secret.trim())) return [];
  const message = "must be whsec_ and a key of 16 bytes or more in Base64 for webhooks.signature: standard";
  return [{ path: ["webhooks", "secret"], message, hint: "Copy it as the sender of the webhooks shows it." }];
}

/** Any other text would decode to a shorter key, or to none. */
function isStandardSecret(secret: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? "";
  return Buffer.from(encoded, "base64").byteLength >= 16;
}

function checkFolders({ output, content, assets }: WrittenConfig, baseDir: string): ValueProblem[] {
  const written = { output: output?.dir ?? "output", content: content?.dir, assets: assets?.dir };
  const folders = new Map(
    Object.entries(written).flatMap(([section, folder]) =>
      typeof folder === "string" ? [[section, resolve(baseDir, folder.trim())]] : [],
    ),
  );
  return [...folders].flatMap(([section, folder]) => {
    const [message, hint] = folderProblem(section, folder, folders, baseDir);
    return message === undefined ? [] : [{ path: [section, "dir"], message, hint }];
  });
}

/** Folders that are written as Windows reads them, where that is only a name. */
export function windowsFolders({ output, content, assets }: WrittenConfig): ValueProblem[] {
  return Object.entries({ output, content, assets }).flatMap(([section, { dir } = {}]): ValueProblem[] => {
    if (sep === "\\" || typeof dir !== "string" || !/\\|^\s*[a-z]:/i.test(dir)) return [];
    const message = `is one folder here, with the name ${JSON.stringify(dir)}`;
    return [{ path: [section, "dir"], message, hint: "Write / between folders. Only Windows has \\ and drives." }];
  });
}

function folderProblem(
  section: string,
  folder: string,
  folders: ReadonlyMap<string, string>,
  baseDir: string,
): [message?: string, hint?: string] {
  if (folder.split(sep).some((name) => /^(?:\.git|git~1)[. ]*$/i.test(name))) {
    return ["is inside a .git folder", "Choose a folder outside .git."];
  }
  if (dirname(folder) === folder || folder === parse(folder).root || isInside(baseDir, folder)) {
    return ["is the folder of this file, or contains it", "Choose a separate folder, such as output."];
  }
  const output = folders.get("output");
  if (section === "output" || output === undefined) return [];
  if (isInside(folder, output)) {
    return ["is output.dir, or inside it", "Leave it out to use a folder inside output.dir."];
  }
  const isBoth = section === "assets" && folder === folders.get("content");
  return isBoth ? ["is also content.dir", "Choose different folders."] : [];
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** True if the source is a region, by name or address. Its management API is then known. */
function isRegion({ region, url }: NonNullable<WrittenConfig["source"]>): boolean {
  if (region !== undefined) return true;
  const reading = sourceUrl.read(url);
  return "value" in reading && hostsOfOrigin(reading.value) !== undefined;
}
