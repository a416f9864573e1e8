#!/usr/bin/env node
import { readFileSync, writeSync } from "node:fs";

const [first, ...rest] = process.argv.slice(2);

// To print the version nothing else of this program is loaded, not even the streams.
if ((first === "--version" || first === "-V") && rest.length === 0) {
  try {
    writeSync(1, `${version()}\n`);
  } catch (error) {
    if (!isClosedPipe(error)) throw error;
  }
} else {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (!isClosedPipe(error)) throw error;
      process.exit(0);
    });
  }
  const { runProgram } = await import("./program.js");
  process.exitCode = await runProgram(process.argv.slice(2), version(), process);
}

/** Whether a reader such as `head` has seen enough. That ends the program quietly. */
function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

function version(): string {
  const file = new URL("../../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
