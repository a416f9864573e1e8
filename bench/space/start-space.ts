import { fork } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { script } from "../measure.js";
import type { SpaceShape } from "./prepared-space.js";
import type { SpaceCommand, SpaceCounts } from "./server.js";

/** A synthetic upstream that runs. */
export interface Space {
  url: string;
  shape: SpaceShape;
  edit(change: { articles: number } | { author: number }): Promise<void>;
  /** Counts from zero again, with or without the published rate tiers; every answer waits so many milliseconds from now on. */
  reset(options?: { tiers?: boolean; latencyMs?: number }): Promise<void>;
  counts(): Promise<SpaceCounts>;
  /** Writes a configuration that reads it into a folder. */
  configure(dir: string, settings?: SpaceSettings): Promise<void>;
  close(): void;
}

export interface SpaceSettings {
  formats?: string;
  rateLimit?: string;
  prefer?: "requests" | "speed";
}

/** Starts a synthetic upstream in a process of its own. */
async function startSpace(shape: SpaceShape): Promise<Space> {
  const server = fork(script("space/server.js"), [JSON.stringify(shape)], { stdio: "inherit" });
  const told = () =>
    new Promise<unknown>((done, fail) => {
      const ended = (): void => fail(new Error("the synthetic upstream ended"));
      server.once("exit", ended);
      server.once("message", (message) => {
        server.off("exit", ended);
        done(message);
      });
    });
  const ask = async (command: SpaceCommand): Promise<SpaceCounts> => {
    const answer = told();
    server.send(command);
    return ((await answer) as { counts: SpaceCounts }).counts;
  };
  const { port } = (await told()) as { port: number };
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    shape,
    edit: async (change) => void (await ask({ kind: "edit", change })),
    reset: async ({ tiers = false, latencyMs = 0 } = {}) => void (await ask({ kind: "reset", tiers, latencyMs })),
    counts: () => ask({ kind: "counts" }),
    configure: (dir, settings) => writeFile(join(dir, "sync.config.yaml"), configText(url, settings)),
    close: () => void server.kill(),
  };
}

/** Starts a space, hands it to the work, and ends it. */
export async function withSpace<T>(shape: SpaceShape, work: (space: Space) => Promise<T>): Promise<T> {
  const space = await startSpace(shape);
  try {
    return await work(space);
  } finally {
    space.close();
  }
}

function configText(
  url: string,
  { formats = "[]", rateLimit = "false", prefer = "requests" }: SpaceSettings = {},
): string {
  return `source:
  url: ${url}
  token: bench-token-0123456789
queue: { rateLimit: ${rateLimit}, prefer: ${prefer} }
assets: { download: false }
content: { formats: ${formats} }
output: { dir: output }
`;
}
