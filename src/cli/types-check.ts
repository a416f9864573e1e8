import type { TypesFormat } from "../config/config.js";
import type { DeclaredTypes } from "../content/model/declared-types.js";
import { compareDeclarations, readDeclarations, type TypeDifference } from "../content/model/read-declarations.js";
import { formatOf, readTypesHeader, requestFlags, type TypesRequest, typesText } from "../content/model/types-text.js";
import { errorCodes, type Problem } from "../lib/errors.js";
import type { CommandContext } from "./context.js";
import { printExitCause } from "./exit-cause.js";
import { shellWord } from "./next-command.js";
import { printProblems } from "./report-failure.js";

export interface TypesCheck {
  generation: number;
  file: string;
  name: string;
  text: string | undefined;
  request: TypesRequest;
  /** True if it is the file that `sync` writes, compared with `sync`'s settings. */
  isSynced: boolean;
  types: DeclaredTypes;
}

export function reportTypesCheck(context: CommandContext, check: TypesCheck): number {
  const { terminal } = context;
  const { generation, file, request } = check;
  const { problems, differences } = compare(check);
  printProblems(context, problems, "red");
  terminal.document({ schema: 1, generation, format: request.format, file, differences, problems });
  if (problems.length === 0) {
    terminal.say(`${terminal.paint("green", "✔")} ${file} matches generation ${generation}.`);
    return 0;
  }
  const { exit: exitCode } = errorCodes.TYPES_DIFFER;
  return printExitCause(context, { exitCode, problems });
}

function compare(check: TypesCheck): { problems: Problem[]; differences: TypeDifference[] } {
  const { file, text, request, types } = check;
  const { format } = request;
  const hint = hintOf(check);
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
function hintOf({ name, text, request, isSynced }: TypesCheck): string {
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
