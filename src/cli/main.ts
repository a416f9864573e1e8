#!/usr/bin/env node
import { nodeProblem } from "../lib/node-version.js";

// An old Node can neither parse nor link the rest: this file and its only import use
// syntax of Node 12.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  void import("./start.js");
} else {
  process.stderr.write(`\u2716 ${problem.message} [NODE_TOO_OLD]\n  \u2192 ${problem.hint}\n`);
  process.exitCode = 2;
}
