import { join, resolve } from "node:path";
import ts from "typescript";

const root = resolve(import.meta.dirname, "..", "..");

/** The declarations that the compiler itself needs. */
const smallestLibrary = `
interface Array<T> { length: number; [n: number]: T }
interface Boolean {} interface Number {} interface String {} interface RegExp {} interface IArguments {}
interface Function {} interface CallableFunction {} interface NewableFunction {}
interface Object {
  constructor: Function; toString(): string; toLocaleString(): string; valueOf(): Object;
  hasOwnProperty(key: string): boolean; isPrototypeOf(other: Object): boolean; propertyIsEnumerable(key: string): boolean;
}`;

/**
 * The errors of `tsc --strict` in these files, as `file: message`. The files are next to the
 * sources, so that packages are found.
 *
 * @param files text by name
 * @param library `small`: without the declarations of the platform, which is much faster for files
 *   that import nothing
 */
export function compileErrors(files: Readonly<Record<string, string>>, library: "small" | "whole" = "whole"): string[] {
  const small = library === "small" ? { "smallest-library.d.ts": smallestLibrary } : {};
  const texts = new Map(Object.entries({ ...small, ...files }).map(([name, text]) => [join(root, name), text]));
  const options: ts.CompilerOptions = {
    strict: true,
    noLib: library === "small",
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

/**
 * The exports of a TypeScript module, run without its types.
 * @param packages what it imports, by name
 */
export function runModule(text: string, packages: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  });
  const exports: Record<string, unknown> = {};
  const required = (name: string) => packages[name];
  new Function("exports", "require", outputText)(exports, required);
  return exports;
}
