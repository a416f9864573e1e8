import { resolve } from "node:path";
import type { Config, TypesFormat } from "../config/config.js";
import { compareDeclarations, type TypeDifference } from "../content-model/compare-declarations.js";
import type { DeclaredTypes } from "../content-model/declared-types.js";
import { readDeclarations } from "../content-model/read-declarations.js";
import { formatOf, typesText } from "../content-model/types-text.js";
import { readTypes, typesOfGeneration, writeTypes } from "../content-model/write-types.js";
import { errorCodes, OffprintError, type Problem } from "../errors.js";
import { currentManifest } from "../snapshot/current-manifest.js";
import { openOutput } from "../snapshot/open-output.js";
import type { CommandContext } from "./context.js";
import { printExitCause } from "./exit-cause.js";
import { missingSnapshot } from "./missing-snapshot.js";
import { plural } from "./quantity-text.js";
import { printProblems } from "./report-failure.js";

export interface TypesFlags {
  out?: string;
  check?: boolean;
  zod?: boolean;
  jsonSchema?: boolean;
  richText?: "document" | "html";
}

/** `offprint types` */
export async function runTypes(context: CommandContext, flags: TypesFlags): Promise<number> {
  const config = await context.config({ tokenOptional: true });
  const format = formatFrom(flags) ?? config.types.format;
  const { store } = openOutput(config.output);
  const manifest = await currentManifest(store);
  if (manifest === undefined) throw missingSnapshot(config);
  const { generation } = manifest;
  const file = flags.out === undefined ? undefined : resolve(context.workingFolder(), flags.out);
  const richText = flags.richText ?? config.content.richText;
  const types = await typesOfGeneration(store, manifest, { ...config, content: { ...config.content, richText } });
  if (flags.check) return check(context, types, { generation, file: file ?? checkedFile(config) });
  const text = typesText(types, format);
  const { terminal } = context;
  if (file === undefined) {
    terminal.data(text.trimEnd());
    terminal.document({ schema: 1, generation, format, file: null, components: types.components.length, text });
    return 0;
  }
  const written = await writeTypes(file, text);
  const what = `${plural(types.components.length, "component")} of generation ${generation}`;
  terminal.say(`${terminal.paint("green", "✔")} ${file}: ${what}${written ? "" : ", as before"}.`);
  terminal.document({ schema: 1, generation, format, file, components: types.components.length, written });
  return 0;
}

function formatFrom({ zod, jsonSchema }: TypesFlags): TypesFormat | undefined {
  if (zod && jsonSchema) {
    throw new OffprintError("USAGE", "--zod and --json-schema do not go together.", { hint: "Choose one of them." });
  }
  return zod ? "zod" : jsonSchema ? "json-schema" : undefined;
}

function checkedFile({ types }: Config): string {
  if (types.file !== undefined) return types.file;
  throw new OffprintError("USAGE", "--check needs a file of types.", {
    hint: "Name it with --out, or as types.file in the configuration.",
  });
}

/** Compares a file of types with the snapshot; comments do not count. */
async function check(
  context: CommandContext,
  types: DeclaredTypes,
  { generation, file }: { generation: number; file: string },
): Promise<number> {
  const { terminal } = context;
  const found = await readTypes(file);
  const format = formatOf(found ?? "");
  const expected = readDeclarations(typesText(types, format), format);
  const differences = found === undefined ? [] : compareDeclarations(readDeclarations(found, format), expected);
  const problems = found === undefined ? [missingFile(file)] : differences.map(problemOf);
  printProblems(context, problems, "red");
  terminal.document({ schema: 1, generation, format, file, differences, problems });
  if (problems.length === 0) {
    terminal.say(`${terminal.paint("green", "✔")} ${file} says what generation ${generation} contains.`);
    return 0;
  }
  const { exit: exitCode } = errorCodes.TYPES_DIFFER;
  printExitCause(context, { exitCode, problems });
  return exitCode;
}

const hint = "Run `offprint types --out <file>`, and see what the code of the site makes of it.";

function missingFile(file: string): Problem {
  return { code: "TYPES_DIFFER", message: `There is no file ${file}.`, hint };
}

function problemOf({ kind, component, field, file, snapshot }: TypeDifference): Problem {
  const place = field === null ? component : `${component}.${field}`;
  const what = {
    added: `is in the content, and not in the file${field === null ? "" : `: ${shown(snapshot)}`}`,
    removed: "is in the file, and not in the content any more",
    changed: `is ${shown(file)} in the file, and ${shown(snapshot)} in the content`,
  };
  return { code: "TYPES_DIFFER", message: `${place} ${what[kind]}.`, hint };
}

/** The type of a field as a message shows it. */
function shown(type: string | null): string {
  const text = type?.startsWith("?") ? `optional ${type.slice(1)}` : (type ?? "");
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
