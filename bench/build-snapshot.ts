import { fork } from "node:child_process";
import { script } from "./measure.js";

/** Writes a snapshot of so many stories into a folder, in a process of its own. */
export function buildSnapshot(dir: string, stories: number): Promise<void> {
  const child = fork(script("./space/replica-process.js"), ["build", dir, String(stories)]);
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`the process ended with ${code}`)));
    child.once("message", () => {
      child.removeAllListeners("exit");
      child.once("exit", () => done());
      child.kill();
    });
  });
}
