import { OffprintError } from "./errors.js";
import { nodeProblem } from "./node-version.js";

// Imported first: the rest of the library would fail in an old Node, at first use or later.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) throw new OffprintError("NODE_TOO_OLD", problem.message, { hint: problem.hint });
