import { join, resolve } from "node:path";
import ts from "typescript";

const root = resolve(import.meta.dirname, "..", "..");

/**
 * What `tsc --strict` says of these files, as `file: message`. They lie beside the sources, so that packages are found.
 *
 * @param files text by name
 */
export function compileErrors(files: Readonly<Record<string, string>>): string[] {
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(root, name), text]));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.getSourceFile = (name, languageVersion, onError, create) => {
    const text = texts.get(name);
    if (text === undefined) return getSourceFile(name, languageVersion, onError, create);
    return ts.createSourceFile(name, text, languageVersion);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined || start === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    return `${file?.fileName.slice(root.length + 1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

/** What a TypeScript module exports, run without its types. @param packages what it imports, by name */
export function runModule(text: string, packages: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  });
  const exports: Record<string, unknown> = {};
  const required = (name: string) => packages[name];
  new Function("exports", "require", outputText)(exports, required);
  return exports;
}
