import { resolve } from "node:path";
import type { Config, TypesFormat } from "../config/config.js";
import { shownPath } from "../config/config-file.js";
import type { DeclaredTypes } from "../content/model/declared-types.js";
import { readTypes, typesOfGeneration, writeTypes } from "../content/model/types-file.js";
import { formatOf, readTypesHeader, type TypesRequest, typesText } from "../content/model/types-text.js";
import { OffprintError } from "../lib/errors.js";
import { plural } from "../lib/quantity-text.js";
import type { CommandContext } from "./context.js";
import { currentSnapshot } from "./missing-snapshot.js";
import { reportTypesCheck } from "./types-check.js";

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

async function check(context: CommandContext, flags: TypesFlags, snapshot: TypedSnapshot): Promise<number> {
  const { config, manifest } = snapshot;
  const { file, name } = checkedFile(context, flags, config);
  const text = await readTypes(file);
  const isTypesFile = file === config.types.file;
  const request = checkedRequest(flags, config, { text, isTypesFile });
  return reportTypesCheck(context, {
    generation: manifest.generation,
    file,
    name,
    text,
    request,
    isSynced: isTypesFile && request.richText === undefined && request.depth === undefined,
    types: await typesAsAsked(snapshot, request),
  });
}

function checkedFile(context: CommandContext, { out }: TypesFlags, { types }: Config): { file: string; name: string } {
  const folder = context.workingFolder();
  if (out !== undefined) return { file: resolve(folder, out), name: out };
  if (types.file === undefined) {
    throw new OffprintError("USAGE", "--check needs a file of types.", {
      hint: "Name it with --out, or as types.file in the configuration.",
    });
  }
  return { file: types.file, name: shownPath(types.file, folder) };
}

/** The flags, else those it was written with, else the configuration; for the file of `sync` only the configuration. */
function checkedRequest(
  flags: TypesFlags,
  { types }: Config,
  { text, isTypesFile }: { text: string | undefined; isTypesFile: boolean },
): TypesRequest {
  const written = isTypesFile || text === undefined ? undefined : readTypesHeader(text);
  const found = isTypesFile || text === undefined ? types.format : formatOf(text);
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
