import { dirname, isAbsolute, parse, relative, resolve, sep } from "node:path";
import { type ValueProblem, valueAt } from "./config-problems.js";
import { hostsOfOrigin } from "./region-hosts.js";
import { isDemoTokenElsewhere, sourceUrl } from "./source-url.js";

/**
 * What no key can tell alone: keys that need or exclude each other, and folders that would get in each other's way.
 * Works on the values as they are written, so that these problems stand in one list with those of single values.
 */
export function checkConfig(values: unknown, baseDir: string): ValueProblem[] {
  return [
    ...checkSource(values),
    ...checkManagement(values),
    ...checkLanguages(values),
    ...checkFolders(values, baseDir),
  ];
}

function checkSource(values: unknown): ValueProblem[] {
  const has = presence(values);
  if (!has("source.url") && !has("source.region")) {
    const hint = "Write url: with the address of the content delivery interface, or region: eu, us, ca, ap or cn.";
    return [{ path: ["source"], message: "needs url or region", hint, atKey: true }];
  }
  if (has("source.url") && has("source.region")) {
    return [{ path: ["source", "region"], message: "stands beside url", hint: "Keep one of the two.", atKey: true }];
  }
  if (isDemoTokenElsewhere(valueAt(values, ["source", "url"]), valueAt(values, ["source", "token"]))) {
    const hint =
      "Set OFFPRINT_TOKEN in the environment or in .env, where source.token reads it, to a token of the space.";
    return [{ path: ["source", "token"], message: "is missing: demo is the token of the demo space only", hint }];
  }
  return [];
}

function checkManagement(values: unknown): ValueProblem[] {
  const has = presence(values);
  const path = ["source", "management"];
  if (!has("source.management")) return [];
  const needs = (condition: boolean, message: string, hint: string): ValueProblem[] =>
    condition ? [{ path, message, hint, atKey: true }] : [];
  const hooks = valueAt(values, [...path, "webhookEndpoints"]);
  const webhooks = hooks !== undefined && !(Array.isArray(hooks) && hooks.length === 0);
  return [
    ...needs(
      has("source.management.token") && !has("source.management.url") && !isRegion(values),
      "needs url",
      "Write url: with the address of the management interface, or source.region in place of source.url.",
    ),
    ...needs(
      has("source.management.url") && !has("source.management.token"),
      "needs token",
      "Write token: with a personal access token, or leave out url.",
    ),
    ...needs(
      webhooks && !has("source.management.token"),
      "needs token to read webhookEndpoints",
      "Write token: with a personal access token, or leave out webhookEndpoints.",
    ),
    ...needs(
      webhooks && !has("source.management.spaceId"),
      "needs spaceId to read webhookEndpoints",
      "Write spaceId: with the number of the space.",
    ),
    ...needs(
      has("source.management.oauthUrl") !== has("source.management.oauthToken"),
      has("source.management.oauthUrl") ? "needs oauthToken" : "needs oauthUrl",
      "Write both, or neither.",
    ),
  ];
}

function checkLanguages(values: unknown): ValueProblem[] {
  const languages = valueAt(values, ["source", "languages"]);
  if (!Array.isArray(languages)) return [];
  const codes = languages.map((language: unknown) => valueAt(language, ["code"]) ?? language);
  return languages.flatMap((language: unknown, index): ValueProblem[] => {
    const path = ["source", "languages", index];
    if (valueAt(language, ["fallback"]) === codes[index]) return [{ path, message: "falls back to itself" }];
    const mixed = typeof language !== typeof languages[codes.indexOf(codes[index])];
    return mixed ? [{ path, message: "expects each language once, not a second time" }] : [];
  });
}

const folderKeys = ["output.dir", "content.dir", "assets.dir"] as const;

function checkFolders(values: unknown, baseDir: string): ValueProblem[] {
  const folders = new Map<string, string>();
  for (const key of folderKeys) {
    const written = valueAt(values, key.split("."));
    if (typeof written === "string") folders.set(key, resolve(baseDir, written.trim()));
    else if (key === "output.dir" && written === undefined) folders.set(key, resolve(baseDir, "output"));
  }
  return [...folders].flatMap(([key, folder]) => {
    const problem = folderProblem(key, folder, folders, baseDir);
    return problem === undefined ? [] : [{ path: key.split("."), ...problem }];
  });
}

function folderProblem(
  key: string,
  folder: string,
  folders: ReadonlyMap<string, string>,
  baseDir: string,
): { message: string; hint: string } | undefined {
  if (folder.split(sep).some((name) => /^(?:\.git|git~1)[. ]*$/i.test(name))) {
    return { message: "lies inside a .git folder", hint: "Name a folder that git does not keep its own files in." };
  }
  if (dirname(folder) === folder || folder === parse(folder).root || isInside(baseDir, folder)) {
    return {
      message: "is the folder of this file, or one around it",
      hint: "Name a folder of its own, such as output.",
    };
  }
  const output = folders.get("output.dir");
  if (key === "output.dir" || output === undefined) return undefined;
  if (isInside(folder, output)) {
    return { message: "lies in output.dir", hint: "Leave it out: then it has its own folder in output.dir." };
  }
  if (key === "assets.dir" && folder === folders.get("content.dir")) {
    return { message: "is also content.dir", hint: "Name two folders." };
  }
  return undefined;
}

/** Whether the path is the folder, or lies in it. */
function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Whether the source is a region, by name or by its address: then its management interface is known. */
function isRegion(values: unknown): boolean {
  if (valueAt(values, ["source", "region"]) !== undefined) return true;
  const url = sourceUrl.read(valueAt(values, ["source", "url"]));
  return "value" in url && hostsOfOrigin(url.value) !== undefined;
}

function presence(values: unknown): (key: string) => boolean {
  return (key) => valueAt(values, key.split(".")) !== undefined;
}
