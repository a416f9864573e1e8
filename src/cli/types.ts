import { resolve } from "node:path";
import type { Config, TypesFormat } from "../config/config.js";
import { shownPath } from "../config/config-file.js";
import type { DeclaredTypes } from "../content/model/declared-types.js";
import { compareDeclarations, readDeclarations, type TypeDifference } from "../content/model/read-declarations.js";
import { readTypes, typesOfGeneration, writeTypes } from "../content/model/types-file.js";
import { formatOf, readTypesHeader, requestFlags, type TypesRequest, typesText } from "../content/model/types-text.js";
import { errorCodes, OffprintError, type Problem } from "../lib/errors.js";
import { plural } from "../lib/quantity-text.js";
import type { CommandContext } from "./context.js";
import { printExitCause } from "./exit-cause.js";
import { currentSnapshot } from "./missing-snapshot.js";
import { shellWord } from "./next-command.js";
import { printProblems } from "./report-failure.js";

export interface TypesFlags extends Partial<Pick<TypesRequest, "richText" | "depth">> {
  out?: string;
  check?: boolean;
  zod?: boolean;
  jsonSchema?: boolean;
}

export async function runTypes(context: CommandContext, flags: TypesFlags): Promise<number> {
  const format = formatFrom(flags);
  const snapshot = await currentSnapshot(context);
  if (flags.check) return check(context, flags, snapshot);
  const file = flags.out === undefined ? undefined : resolve(context.workingFolder(), flags.out);
  return print(context, { ...flags, format: format ?? snapshot.config.types.format }, { ...snapshot, file });
}

type TypedSnapshot = Awaited<ReturnType<typeof currentSnapshot>>;

function formatFrom({ zod, jsonSchema }: TypesFlags): TypesFormat | undefined {
  if (zod && jsonSchema) {
    throw new OffprintError("USAGE", "--zod and --json-schema do not go together.", { hint: "Choose one of them." });
  }
  return zod ? "zod" : jsonSchema ? "json-schema" : undefined;
}

async function print(
  { terminal }: CommandContext,
  { format, richText, depth }: TypesRequest,
  { file, ...snapshot }: TypedSnapshot & { file: string | undefined },
): Promise<number> {
  const { generation } = snapshot.manifest;
  const types = await typesAsAsked(snapshot, { richText, depth });
  const text = typesText(types, format, { richText, depth });
  const components = types.components.length;
  if (file === undefined) {
    // Each text from the content is a literal with JSON escapes, or a comment.
    terminal.text(text.trimEnd(), "json");
    terminal.document({ schema: 1, generation, format, file: null, components, text });
    return 0;
  }
  const written = await writeTypes(file, text);
  const what = `${plural(components, "component")} of generation ${generation}`;
  terminal.say(`${terminal.paint("green", "✔")} ${file}: ${what}${written ? "" : ", as before"}.`);
  terminal.document({ schema: 1, generation, format, file, components, written });
  return 0;
}

/** Compares a file with the types of the content. */
async function check(context: CommandContext, flags: TypesFlags, snapshot: TypedSnapshot): Promise<number> {
  const { terminal } = context;
  const { generation } = snapshot.manifest;
  const { file, name, isSynced } = checkedFile(context, flags, snapshot.config);
  const text = await readTypes(file);
  const request = checkedRequest(flags, snapshot.config, isSynced ? undefined : text);
  const isAsSynced = isSynced && request.richText === undefined && request.depth === undefined;
  const checked: CheckedTypes = { file, text, request, hint: hintOf(name, text, request, isAsSynced) };
  const { problems, differences } = compare(checked, await typesAsAsked(snapshot, request));
  printProblems(context, problems, "red");
  terminal.document({ schema: 1, generation, format: request.format, file, differences, problems });
  if (problems.length > 0) return printExitCause(context, { exitCode: errorCodes.TYPES_DIFFER.exit, problems });
  terminal.say(`${terminal.paint("green", "✔")} ${file} matches generation ${generation}.`);
  return 0;
}

/** @returns `isSynced`: true if it is the file that `sync` writes */
function checkedFile(context: CommandContext, { out }: TypesFlags, { types }: Config) {
  const folder = context.workingFolder();
  if (out !== undefined) {
    const file = resolve(folder, out);
    return { file, name: out, isSynced: file === types.file };
  }
  if (types.file === undefined) {
    throw new OffprintError("USAGE", "--check needs a file of types.", {
      hint: "Name it with --out, or as types.file in the configuration.",
    });
  }
  return { file: types.file, name: shownPath(types.file, folder), isSynced: true };
}

/** The flags, else those of the file, else the configuration. @param text undefined: the file says nothing about them */
function checkedRequest(flags: TypesFlags, { types }: Config, text: string | undefined): TypesRequest {
  const written = text === undefined ? undefined : readTypesHeader(text);
  const found = text === undefined ? types.format : formatOf(text);
  return {
    // No flag selects TypeScript: a configured other format contradicts such a file.
    format: formatFrom(flags) ?? (found === "typescript" ? types.format : found),
    richText: flags.richText ?? written?.richText,
    depth: flags.depth ?? written?.depth,
  };
}

function typesAsAsked(
  { store, manifest, config }: TypedSnapshot,
  { richText, depth }: Omit<TypesRequest, "format">,
): Promise<DeclaredTypes> {
  return typesOfGeneration(store, manifest, {
    ...config,
    content: { ...config.content, richText: richText ?? config.content.richText },
    resolve: { ...config.resolve, depth: depth ?? config.resolve.depth },
  });
}

interface CheckedTypes {
  file: string;
  text: string | undefined;
  request: TypesRequest;
  hint: string;
}

function compare({ file, text, request, hint }: CheckedTypes, types: DeclaredTypes) {
  const { format } = request;
  const problem = (message: string): Problem => ({ code: "TYPES_DIFFER", message, hint });
  if (text === undefined) return { problems: [problem(`There is no file ${file}.`)], differences: [] };
  if (formatOf(text) !== format) {
    return { problems: [problem(`${file} is ${words[formatOf(text)]}, not ${words[format]}.`)], differences: [] };
  }
  const expected = readDeclarations(typesText(types, format), format);
  const differences = compareDeclarations(readDeclarations(text, format), expected);
  return { problems: differences.map((difference) => problem(messageOf(difference))), differences };
}

const words: Readonly<Record<TypesFormat, string>> = {
  typescript: "TypeScript without schemas",
  zod: "TypeScript with schemas of zod",
  "json-schema": "a JSON Schema",
};

/** Names the command that would write the expected file. It never replaces a file we did not write. */
function hintOf(name: string, text: string | undefined, request: TypesRequest, isSynced: boolean): string {
  const command = ["offprint types", ...requestFlags(request), "--out", shellWord(name)].join(" ");
  const also = isSynced ? " (an `offprint sync` that finds a change writes it too)" : "";
  const isForeign = text !== undefined && text.trim() !== "" && readTypesHeader(text) === undefined;
  const first = isForeign ? "Offprint has not written this file, and keeps it: move it away first. " : "";
  return `${first}Run \`${command}\`${also}, and see what the code of the site makes of it.`;
}

function messageOf({ kind, component, field, file, snapshot }: TypeDifference): string {
  const place = field === null ? component : `${component}.${field}`;
  const what = {
    added: `is in the content, and not in the file${field === null ? "" : `: ${shown(snapshot)}`}`,
    removed: "is in the file, and not in the content any more",
    changed: `is ${shown(file)} in the file, and ${shown(snapshot)} in the content`,
  };
  return `${place} ${what[kind]}.`;
}

function shown(type: string | null): string {
  const text = type?.startsWith("?") ? `optional ${type.slice(1)}` : (type ?? "");
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
