import { workerData } from "node:worker_threads";
import { type ProofOrder, proveInTurn } from "./prove-in-turn.js";

// What a thread of `proveShards` runs.
proveInTurn(workerData as ProofOrder);
