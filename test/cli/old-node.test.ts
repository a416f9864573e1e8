// @module-tag long
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { nodeProblem, oldestNode } from "../../src/lib/node-version.js";
import namesOfNode18 from "../support/node-18-names.json" with { type: "json" };
import { builtMain, runCli } from "../support/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = resolve(import.meta.dirname, "..", "..");

/** Loaded before a program. Makes the program see Node 18. */
const asNode18 = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });\n`;

async function inNode18(main: string, args: readonly string[], cwd: string) {
  const file = join(cwd, "as-node-18.cjs");
  await writeFile(file, asNode18);
  return runCli(args, { cwd, main, env: { NODE_OPTIONS: `--require "${file}"` } });
}

/** Returns the file, the files that it imports before it runs, and their outside imports. */
function staticGraph(file: string, found = new Map<string, ts.SourceFile>()): Map<string, ts.SourceFile> {
  if (found.has(file)) return found;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  found.set(file, source);
  for (const name of importedBy(source)) {
    if (name.startsWith(".")) staticGraph(resolve(dirname(file), name), found);
  }
  return found;
}

function importedBy(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    const isOne = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
    const from = isOne ? statement.moduleSpecifier : undefined;
    return from !== undefined && ts.isStringLiteral(from) ? [from.text] : [];
  });
}

function hasTopLevelAwait(source: ts.SourceFile): boolean {
  const isIn = (node: ts.Node): boolean =>
    ts.isAwaitExpression(node) || (!ts.isFunctionLike(node) && (ts.forEachChild(node, isIn) ?? false));
  return isIn(source);
}

describe("a version of Node that is too old", () => {
  test.each(["--version", "sync", "no-such-command"])(
    "ends `offprint %s` with 2 and both versions",
    async (argument) => {
      const run = await inNode18(builtMain, [argument], await temporaryFolder());
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toMatch(
        /^✖ Offprint needs Node 20\.19\.0 or later\. This is Node 18\.20\.8\. \[NODE_TOO_OLD\]\n {2}→ /,
      );
    },
  );

  test.each(["index", "site/adapters/astro", "site/adapters/eleventy", "site/adapters/next", "site/adapters/vite"])(
    "ends an import of %s with a code and both versions",
    async (entry) => {
      const cwd = await temporaryFolder();
      const url = pathToFileURL(join(root, "dist", "src", `${entry}.js`)).href;
      const program = `import(${JSON.stringify(url)}).catch(({ code, message }) => console.log(code, message));`;
      await writeFile(join(cwd, "program.mjs"), program);
      const { stdout } = await inNode18(join(cwd, "program.mjs"), [], cwd);
      expect(stdout).toBe("NODE_TOO_OLD Offprint needs Node 20.19.0 or later. This is Node 18.20.8.\n");
    },
  );

  test("is one below `engines` of the package", async () => {
    const { engines } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${oldestNode}`);
    for (const old of ["12.22.9", "18.20.8", "20.18.3", "20.9.0"]) expect(nodeProblem(old)?.message).toContain(old);
    for (const known of [oldestNode, "20.20.1", "22.0.0", "24.11.0", "100.0.0", undefined]) {
      expect(nodeProblem(known)).toBeUndefined();
    }
  });
});

test("the command checks the version first, in files that Node 12 can parse", () => {
  for (const [file, source] of staticGraph(builtMain)) {
    const printed = (target: ts.ScriptTarget) =>
      ts.transpileModule(source.text, { compilerOptions: { target, module: ts.ModuleKind.ESNext } }).outputText;
    expect(printed(ts.ScriptTarget.ES2019), file).toBe(printed(ts.ScriptTarget.ESNext));
    expect(hasTopLevelAwait(source), file).toBe(false);
    expect(importedBy(source).filter((name) => !name.startsWith("."))).toEqual([]);
  }
});

test("the library checks the version first, and imports only names that Node 18 has", () => {
  const index = join(root, "dist", "src", "index.js");
  const graph = staticGraph(index);
  expect(importedBy(graph.get(index) as ts.SourceFile)[0]).toBe("./lib/refuse-old-node.js");
  const known = namesOfNode18 as Record<string, string>;
  const missing = [...graph].flatMap(([file, source]) =>
    source.statements.filter(ts.isImportDeclaration).flatMap((statement) => {
      const from = (statement.moduleSpecifier as ts.StringLiteral).text;
      const bindings = statement.importClause?.namedBindings;
      if (!from.startsWith("node:") || bindings === undefined || !ts.isNamedImports(bindings)) return [];
      const names = new Set(known[from]?.split(" "));
      return (
        bindings.elements
          .map(({ name, propertyName }) => (propertyName ?? name).text)
          .filter((name) => !names.has(name))
          // `import * as util from "node:util"` links in every version.
          .map((name) => `${relative(root, file)}: ${name} of ${from}`)
      );
    }),
  );
  expect(missing).toEqual([]);
});
