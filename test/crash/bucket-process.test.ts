import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generationOf } from "../../src/snapshot/layout.js";
import { isLongForm } from "../support/crash-steps.js";
import { type CliRun, runCli } from "../support/run-cli.js";
import { openServedBucket } from "../support/s3-endpoint.js";
import { keyVariables } from "../support/s3-machine.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

/** At how many requests a process is killed; the trial of the storage is among them. */
const kills = 12;

test.skipIf(!isLongForm)(
  "`offprint sync` into a bucket, killed with SIGKILL at a request: another machine and the same one go on",
  async () => {
    const space = await startTinySpace();
    const at = await openServedBucket();
    const stored = at.server.bucket(at.bucket);
    const machine = async () => {
      const dir = await temporaryFolder();
      const store = `output: { store: "s3://${at.bucket}/site", s3: { endpoint: "${at.endpoint}", region: ${at.region} } }`;
      const source = `source: { url: "${space.url}", token: test-token }\nqueue: { retries: 0, rateLimit: false }`;
      await writeFile(join(dir, "sync.config.yaml"), `${source}\n${store}\ncontent: { formats: [] }\n`);
      return dir;
    };
    const offprint = (cwd: string, args: string[], onStart?: (child: ChildProcess) => void): Promise<CliRun> =>
      runCli(args, { cwd, env: keyVariables(at), ...(onStart && { onStart }) });
    const committed = () =>
      stored.keys().flatMap((key) => {
        const number = generationOf(key.slice("site/".length));
        return number === undefined ? [] : [{ number, cv: JSON.parse(stored.get(key)!.body.toString()).cv }];
      });

    expect(await offprint(await machine(), ["sync"])).toMatchObject({ code: 0 });
    const requests = at.server.requests.length;
    let killed = 0;
    for (let kill = 0; kill < kills; kill++) {
      for (const key of stored.keys()) stored.delete(key, Date.now());
      const [one, two] = [await machine(), await machine()];
      const killAt = 1 + Math.floor((kill * (requests - 1)) / (kills - 1));
      let child: ChildProcess | undefined;
      let gone = () => {};
      const ended = new Promise<void>((resolve) => {
        gone = resolve;
      });
      let count = 0;
      const strike = () => {
        if (++count === killAt) child?.kill("SIGKILL");
        return count >= killAt;
      };
      // Odd ones are done, and the process is gone before it hears of it.
      if (kill % 2 === 0) at.server.fail({ kind: "reset-before" }, { when: strike });
      else at.server.fail({ kind: "slow-headers", wait: ended }, { when: strike });
      const onStart = (started: ChildProcess) => {
        child = started;
        started.once("exit", () => gone());
      };
      const { code } = await offprint(one, ["sync"], onStart);
      at.server.clearFaults();
      if (code === null) killed++;
      at.server.clockOffsetMs += 120_000;
      space.stories[0]!.headline = `Home ${kill}`;
      space.cv += 10;
      const where = `killed at request ${killAt} of ${requests}`;
      expect(await offprint(two, ["sync"]), where).toMatchObject({ code: 0 });
      expect(await offprint(one, ["sync"]), where).toMatchObject({ code: 0 });
      expect(await offprint(await machine(), ["verify"]), where).toMatchObject({ code: 0 });
      const [last, ...before] = committed().reverse();
      expect(last!.cv, where).toBe(space.cv);
      // What the killed one had committed, or nothing.
      expect(
        before.map(({ cv }) => cv),
        where,
      ).toEqual(last!.number === 1 ? [] : [space.cv - 10]);
    }
    console.info(`${killed} of ${kills} processes killed at ${requests} requests`);
    expect(killed).toBeGreaterThanOrEqual(kills - 2);
  },
  600_000,
);
