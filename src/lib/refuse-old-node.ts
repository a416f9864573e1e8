import { OffprintError } from "./errors.js";
import { nodeProblem } from "./node-version.js";

// Imported before everything else of the library: what follows would fail in an old Node at its first use, or worse later.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) throw new OffprintError("NODE_TOO_OLD", problem.message, { hint: problem.hint });
