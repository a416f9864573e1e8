import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import type { Sync } from "./history.js";

/** A bug that is planted: exact pieces of source, and what stands there instead. */
export interface Mutant {
  name: string;
  changes: readonly { file: string; from: string; to: string }[];
}

/**
 * The rules that the exactness of a sync rests on, left out one at a time. Agreement with the index line is not among
 * them: without it and without doubt, which each catch what the other would, one of some thousand histories goes wrong.
 */
export const mutants: readonly Mutant[] = [
  {
    name: "cv is not checked: redirects and other cvs do not spoil a round",
    changes: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
      change("crawl/pin.ts", 'spoil(`the space moved from cv ${asked ?? "unknown"} to ${answer.cv}`);', ""),
      change("crawl/crawl.ts", "if (closing.cv !== pin.cv)", "if (Math.abs(0) > 1)"),
    ],
  },
  {
    name: "no closing probe",
    changes: [
      change("crawl/crawl.ts", "return context.upstream.probe();", "return { cv: pin.cv, dateMs: null, total: null };"),
    ],
  },
  {
    name: "the closing probe does not wait",
    changes: [change("crawl/crawl.ts", "if (elapsed < context.settleMs)", "if (elapsed < -1)")],
  },
  {
    name: "a redirect is followed at once",
    changes: [
      change("crawl/pin.ts", "const immature = await mature(newCv, dateMs, pacing);", "const immature = dateMs === 0;"),
      change("crawl/pin.ts", "if (cv === null || newCv > cv) cv = newCv;", "cv = newCv;"),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
      change("crawl/pin.ts", 'spoil(`the space moved from cv ${asked ?? "unknown"} to ${answer.cv}`);', ""),
      change("crawl/crawl.ts", "if (closing.cv !== pin.cv)", "if (closing.cv === null)"),
    ],
  },
  {
    name: "a cv is read at before it is two seconds old",
    changes: [
      change(
        "crawl/opening-probe.ts",
        "return cv !== null && dateMs !== null &&",
        "return cv === 0 && dateMs !== null &&",
      ),
    ],
  },
  {
    name: "the probe carries the cv of before",
    changes: [
      change(
        "upstream/upstream.ts",
        '{ version: "published", per_page: 1 }, { priority });',
        '{ version: "published", per_page: 1, ...(lastCv === null ? {} : { cv: lastCv }) }, { priority });\n      lastCv = answer.cv;',
      ),
      change(
        "upstream/upstream.ts",
        "const probePriority = 1_000;",
        "const probePriority = 1_000;\nlet lastCv: number | null = null;",
      ),
    ],
  },
  {
    name: "vanished stories are removed without being asked for",
    changes: [
      change(
        "crawl/plan.ts",
        "[...diff.added, ...diff.changed, ...diff.vanished].sort()",
        "[...diff.added, ...diff.changed].sort()",
      ),
      change(
        "crawl/ask-version.ts",
        "for (const [uuid, line] of diff.folders) workspace.set(linksPart, uuid, line);",
        `for (const [uuid, line] of diff.folders) workspace.set(linksPart, uuid, line);
         for (const uuid of diff.vanished) {
           workspace.set(linksPart, uuid, null);
           for (const { name } of version.editions) workspace.set(partNames.stories(name), uuid, null);
         }`,
      ),
    ],
  },
  {
    name: "lines are compared by their dates only",
    changes: [
      change(
        "crawl/diff.ts",
        "if (before?.text === row.text) continue;",
        `if (before !== undefined && before.text !== "" && !row.isFolder) {
           if (JSON.parse(before.text).published_at === JSON.parse(row.text).published_at) continue;
         } else if (before?.text === row.text) continue;`,
      ),
    ],
  },
  {
    name: "neighbours in a group are not asked for",
    changes: [change("crawl/ask-stories.ts", "if (!ask.findsNeighbours) return;", "return;")],
  },
  {
    name: "renamed tags are not looked for",
    changes: [
      change("crawl/stories-with-changed-tags.ts", "if (names.size === 0) return new Set();", "return new Set();"),
    ],
  },
  {
    name: "a 404 is taken as an empty page",
    changes: [
      change(
        "upstream/read-answer.ts",
        "if (status !== 200) {",
        `if (status === 404) {
           return { kind: "served", dateMs, cv: null, body: { records: [], total: 0, perPage: null } as T };
         }
         if (status !== 200) {`,
      ),
    ],
  },
  {
    name: "a batch that fails is left out",
    changes: [
      change("crawl/ask-stories.ts", "failures.push(error);", "if (error === undefined) failures.push(error);"),
    ],
  },
  {
    name: "the rows of the index are not counted by uuid",
    changes: [
      change("crawl/sweep-links.ts", "if (rows.size !== records.length) {", "if (rows.size > records.length) {"),
    ],
  },
  {
    name: "a story whose line was taken away is forgotten when it vanishes",
    changes: [change("crawl/ask-stories.ts", "unlined.add(uuid);", "")],
  },
  {
    name: "the generation is named before its objects are durable",
    changes: [
      change(
        "crawl/crawl.ts",
        "Promise.all([probeSettled(run, pin), context.store.flush()])",
        "Promise.all([probeSettled(run, pin)])",
      ),
      change(
        "snapshot/commit.ts",
        "await store.flush();\n  if (!(await store.advance(generationFile(generation), bytes))) throw overtaken(generation);",
        "if (!(await store.advance(generationFile(generation), bytes))) throw overtaken(generation);",
      ),
    ],
  },
];

function change(file: string, from: string, to: string): Mutant["changes"][number] {
  return { file, from, to };
}

/** A copy of the compiled program with a bug in it. */
export interface MutatedProgram {
  sync: Sync;
  remove(): Promise<void>;
}

/**
 * Builds a mutant beside the compiled program, in a folder of its own.
 * @param root The package's folder, with the sources; @param compiled The compiled `src`.
 * @throws Error when a piece of source is not found exactly once: the mutant has to follow the source.
 */
export async function buildMutant(mutant: Mutant, root: string, compiled: string): Promise<MutatedProgram> {
  const folder = await mkdtemp(join(tmpdir(), "offprint-mutant-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await mkdir(join(folder, "dist"));
    await cp(compiled, join(folder, "dist", "src"), { recursive: true });
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    await symlink(join(root, "config"), join(folder, "config"));
    await cp(join(root, "package.json"), join(folder, "package.json"));
    for (const file of new Set(mutant.changes.map((one) => one.file))) {
      const source = await mutatedSource(mutant, file, join(root, "src", file));
      const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true };
      const { outputText } = ts.transpileModule(source, { compilerOptions: options, fileName: file });
      await writeFile(join(folder, "dist", "src", file.replace(/\.ts$/, ".js")), outputText);
    }
    const program = (await import(pathToFileURL(join(folder, "dist", "src", "sync.js")).href)) as { sync: Sync };
    return { sync: program.sync, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function mutatedSource(mutant: Mutant, file: string, path: string): Promise<string> {
  let source = await readFile(path, "utf8");
  for (const { from, to } of mutant.changes.filter((one) => one.file === file)) {
    const pieces = source.split(from);
    if (pieces.length !== 2)
      throw new Error(`mutant "${mutant.name}": ${file} has ${pieces.length - 1} times: ${from}`);
    source = pieces.join(to);
  }
  return source;
}
