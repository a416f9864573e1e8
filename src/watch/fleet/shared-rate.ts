import { contentHash } from "../../lib/content-hash.js";
import { parseAs } from "../../lib/parse-as.js";
import { object } from "../../lib/shape.js";
import { fullPace, type Pace, paceFields } from "../../sync/upstream/pace.js";
import type { PaceHolder } from "../../sync/upstream/shared-pace.js";
import { type SharedValues, serverClock, updateValue } from "./shared-values.js";

/** After a failure, each worker paces itself alone this long, in milliseconds. */
const apartMs = 2000;

/** One pace for each token and host. While values fail, a worker goes on from the last shared. */
export function sharedRate({
  values,
  now,
}: {
  values: Pick<SharedValues, "read" | "replace">;
  now(): number;
}): (token: string, url: string) => PaceHolder {
  const holders = new Map<string, PaceHolder>();
  const clock = serverClock(now);
  let apartUntilMs = 0;

  function holderOf(key: string): PaceHolder {
    let own: Pace = fullPace;
    let turn: Promise<unknown> = Promise.resolve();

    async function update<T>(step: (pace: Pace) => { pace: Pace; result: T }): Promise<T> {
      if (now() >= apartUntilMs) {
        try {
          return await updateShared(step);
        } catch {
          apartUntilMs = now() + apartMs;
        }
      }
      const next = step(own);
      own = next.pace;
      return next.result;
    }

    async function updateShared<T>(step: (pace: Pace) => { pace: Pace; result: T }): Promise<T> {
      let sentMs = now();
      const measuring: typeof values = {
        async read(group, name) {
          sentMs = now();
          return values.read(group, name);
        },
        replace: (...change) => values.replace(...change),
      };
      const done = await updateValue(measuring, { group: "paces", key }, (before, serverMs) => {
        const aheadMs = clock.measured(sentMs, serverMs);
        const { pace, result } = step(shifted(parsePace(before, serverMs), -aheadMs));
        return { after: JSON.stringify(shifted(pace, aheadMs)), result: { pace, result } };
      });
      own = done.pace;
      return done.result;
    }

    return {
      // The requests of one process queue here and do not compete with other machines.
      update(step) {
        const updated = turn.then(() => update(step));
        turn = updated.catch(() => undefined);
        return updated;
      },
    };
  }

  return (token, url) => {
    const key = contentHash(`${new URL(url).host}\n${token}`);
    const holder = holders.get(key) ?? holderOf(key);
    holders.set(key, holder);
    return holder;
  };
}

/** Converts a pace to another clock. A time of 0 means "never" and stays. */
function shifted({ share, ...times }: Pace, byMs: number): Pace {
  const moved = (ms: number) => (ms === 0 ? 0 : ms + byMs);
  return {
    share,
    nextMs: moved(times.nextMs),
    lastMs: moved(times.lastMs),
    sharedMs: moved(times.sharedMs),
    halvedMs: moved(times.halvedMs),
  };
}

/** Starts afresh if the text is no pace, or if it comes from a clock that was set back. */
function parsePace(text: string | undefined, nowMs: number): Pace {
  return parseAs(text, object<Pace>(paceFields(() => nowMs))) ?? fullPace;
}
