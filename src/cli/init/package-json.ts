import { OffprintError } from "../../lib/errors.js";
import { nextToken, skipSpace, skipValue, startScan } from "../../lib/json/text.js";
import { isObject } from "../../lib/shape.js";
import type { PackageJson } from "./sites/framework.js";

const byteOrderMark = "\uFEFF";

/** With or without a byte order mark. @throws OffprintError `PROJECT_UNUSABLE` if it or its `scripts` is no object */
export function readPackageJson(text: string): PackageJson {
  const value = parsed(text);
  const wrong = !isObject(value) ? "it is no object" : undefined;
  if (!isObject(value) || (value.scripts !== undefined && !isObject(value.scripts))) {
    throw unusable(wrong ?? "its `scripts` are no object");
  }
  const { scripts = {}, type, packageManager, workspaces } = value;
  const patterns = isObject(workspaces) ? workspaces.packages : workspaces;
  return {
    dependencies: new Set(
      ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"].flatMap((key) =>
        isObject(value[key]) ? Object.keys(value[key]) : [],
      ),
    ),
    scripts: Object.fromEntries(textsOf(Object.entries(scripts))),
    otherScripts: new Set(Object.keys(scripts).filter((name) => typeof scripts[name] !== "string")),
    isModule: type === "module",
    packageManager: typeof packageManager === "string" ? packageManager : "",
    workspaces: Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === "string") : [],
  };
}

/** Adds scripts at the end of `scripts`, which it adds if missing. Keeps all other bytes and the indentation. */
export function addScripts(text: string, scripts: Readonly<Record<string, string>>): string {
  const added = Object.entries(scripts).map(([name, command]) => `${JSON.stringify(name)}: ${JSON.stringify(command)}`);
  if (added.length === 0) return text;
  const root = objectAt(text, text.startsWith(byteOrderMark) ? 1 : 0);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  const known = root.members.findLast(({ key }) => key === "scripts");
  if (known !== undefined)
    return insertMembers(text, objectAt(text, known.valueStart), added, lineEnd, indent.repeat(2));
  const lines = added.map((member) => `${lineEnd}${indent.repeat(2)}${member}`).join(",");
  return insertMembers(text, root, [`"scripts": {${lines}${lineEnd}${indent}}`], lineEnd, indent);
}

interface ObjectText {
  start: number;
  end: number;
  members: readonly { key: unknown; keyStart: number; valueStart: number; valueEnd: number }[];
}

function objectAt(text: string, at: number): ObjectText {
  const scan = startScan(text, at);
  nextToken(scan);
  const start = scan.at;
  const members = [];
  for (let token = nextToken(scan); token !== "}" && token !== ""; token = nextToken(scan)) {
    if (token === ",") continue;
    const keyStart = scan.at - token.length;
    nextToken(scan);
    skipSpace(scan);
    const valueStart = scan.at;
    skipValue(scan);
    members.push({ key: JSON.parse(token), keyStart, valueStart, valueEnd: scan.at });
  }
  return { start, end: scan.at - 1, members };
}

function insertMembers(
  text: string,
  { start, end, members }: ObjectText,
  added: readonly string[],
  lineEnd: string,
  indent: string,
): string {
  const last = members.at(-1);
  if (last === undefined) {
    const closing = indent.slice(0, indent.length / 2);
    const outer = text.slice(0, start).includes("\n") ? closing : "";
    const lines = added.map((member) => `${lineEnd}${indent}${member}`).join(",");
    return `${text.slice(0, start)}${lines}${lineEnd}${outer}${text.slice(end)}`;
  }
  const before = text.slice(start, members[0]!.keyStart);
  const between = before.includes("\n") ? before : " ";
  return `${text.slice(0, last.valueEnd)}${added.map((member) => `,${between}${member}`).join("")}${text.slice(last.valueEnd)}`;
}

function textsOf(entries: readonly [string, unknown][]): [string, string][] {
  return entries.flatMap(([key, value]): [string, string][] => (typeof value === "string" ? [[key, value]] : []));
}

function parsed(text: string): unknown {
  const json = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  try {
    return JSON.parse(json);
  } catch (error) {
    const hasComments = /^\s*(?:\/\/|\/\*)/m.test(json);
    throw unusable(hasComments ? "it has comments, and is no JSON" : `it is no JSON (${messageOf(error)})`, error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\s+/g, " ") : String(error);
}

function unusable(why: string, cause?: unknown): OffprintError {
  return new OffprintError("PROJECT_UNUSABLE", `package.json cannot be read: ${why}.`, {
    hint: "Put it right, so that npm can read it too, and run the same command again. Nothing was written.",
    cause,
  });
}
