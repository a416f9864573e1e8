import { readFileSync, writeSync } from "node:fs";
import * as nodeModule from "node:module";

const [first, ...rest] = process.argv.slice(2);

// Printing the version loads nothing else of this program, not even the streams.
if ((first === "--version" || first === "-V") && rest.length === 0) {
  try {
    writeSync(1, `${version()}\n`);
  } catch (error) {
    if (!hasCode(error, "EPIPE")) throw error;
  }
} else {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      // A closed pipe stops only the printing: the command completes and its exit code counts.
      if (!hasCode(error, "EPIPE")) throw error;
    });
  }
  const openFiles = openFilesLimit();
  if (openFiles < 30) {
    failWithoutFiles(`this process may open ${openFiles} files, and needs 30`);
  } else {
    // Node opens all files that a module imports at the same time.
    if (openFiles < 256) nodeModule.register("./one-file-at-a-time.js", import.meta.url);
    // From Node 22 on: for the next start, in Node's own folder (`NODE_COMPILE_CACHE`).
    (nodeModule as { enableCompileCache?: () => unknown }).enableCompileCache?.();
    try {
      const { runProgram } = await import("./program.js");
      process.exitCode = await runProgram(process.argv.slice(2), version(), process);
    } catch (error) {
      if (!hasCode(error, "EMFILE") && !hasCode(error, "ENFILE")) throw error;
      failWithoutFiles("the program could not be loaded");
    }
  }
}

/** Reports the problem if the code that reports better cannot be loaded. */
function failWithoutFiles(why: string): void {
  writeSync(
    2,
    `\u2716 Too many files are open: ${why}. [TOO_MANY_OPEN_FILES]\n  \u2192 Raise the limit: \`ulimit -n 1024\`.\n`,
  );
  process.exitCode = 2;
}

function openFilesLimit(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** `EPIPE`: the reader of a pipe, such as `head`, has closed it. */
function hasCode(error: unknown, code: "EMFILE" | "ENFILE" | "EPIPE"): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
