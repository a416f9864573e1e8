#!/usr/bin/env node
import { readFileSync } from "node:fs";

// A reader such as `head` that has seen enough ends the program quietly.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
}

const [first, ...rest] = process.argv.slice(2);

// The version needs nothing else of this program, so nothing else is loaded.
if ((first === "--version" || first === "-V") && rest.length === 0) {
  process.stdout.write(`${version()}\n`);
} else {
  const { runProgram } = await import("./program.js");
  process.exitCode = await runProgram(process.argv.slice(2), version());
}

function version(): string {
  const file = new URL("../../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
