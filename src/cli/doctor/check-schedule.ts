import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/config.js";
import { durationText } from "../../config/schema/quantity.js";
import type { RunRecord } from "../../snapshot/state.js";
import { defaultEveryMs } from "../../watch/next-turn.js";
import { type Finding, finding } from "./diagnosis-finding.js";

export interface ScheduleFacts {
  schedule: Config["schedule"];
  /** The longest time between two runs of `schedule.cron`, in milliseconds. Undefined if not set or unknown. */
  cronIntervalMs?: number | undefined;
  /** The last runs that did something, oldest first. */
  runs: readonly Pick<RunRecord, "durationMs">[];
  workflows: readonly string[];
}

const runsLookedAt = 10;

/** Compares how often the space is synced with how long a sync takes and with `schedule.maxAge`. */
export function checkSchedule({ schedule, cronIntervalMs, runs, workflows }: ScheduleFacts): Finding[] {
  const { cron, everyMs, maxAgeMs } = schedule;
  const intervalMs = cron === undefined ? (everyMs ?? defaultEveryMs) : cronIntervalMs;
  const longestMs = Math.max(0, ...runs.slice(-runsLookedAt).map(({ durationMs }) => durationMs));
  const isSet = cron !== undefined || everyMs !== undefined;
  const wrong = intervalMs === undefined ? [] : checkInterval({ intervalMs, longestMs, maxAgeMs, isSet });
  const every = intervalMs === undefined ? "" : `: every ${written(intervalMs)}, at most ${written(maxAgeMs)} old`;
  const fits = isSet
    ? `The schedule leaves room${every}.`
    : `No schedule is set. \`offprint watch\` takes the default${every}.`;
  return [...(wrong.length > 0 ? wrong : [finding("SCHEDULE_OK", fits)]), ...workflows.map(ofGitHub)];
}

function checkInterval(facts: { intervalMs: number; longestMs: number; maxAgeMs: number; isSet: boolean }): Finding[] {
  const { intervalMs, longestMs, maxAgeMs, isSet } = facts;
  const found: Finding[] = [];
  if (longestMs > intervalMs) {
    const hint = "A run that is due while another one works is left out. Make schedule.every longer.";
    const interval = isSet ? "The interval is" : "No schedule is set. The interval of `offprint watch` is";
    const what = `${interval} ${written(intervalMs)}, and a run lately took ${written(longestMs)}.`;
    found.push(finding("SCHEDULE_SHORT", what, hint));
  }
  if (maxAgeMs < intervalMs + longestMs) {
    const hint =
      "Set schedule.maxAge to at least twice the interval: otherwise the space counts as stale where nothing is wrong.";
    const what = `schedule.maxAge is ${written(maxAgeMs)}, and the interval with a run ${written(intervalMs + longestMs)}.`;
    found.push(finding("SCHEDULE_MAX_AGE", what, hint));
  }
  return found;
}

function ofGitHub(file: string): Finding {
  const hint =
    "At full hours few of the runs come at all: name odd minutes, and let a webhook start the workflow (repository_dispatch).";
  return finding("SCHEDULE_GITHUB", `${file} runs on GitHub's schedule, which comes hours late.`, hint);
}

function written(ms: number): string {
  return durationText(ms < 10_000 ? Math.round(ms) : Math.round(ms / 1000) * 1000);
}

/** File names of the workflows that run this program on a schedule. @param folder absolute path of the project */
export async function findScheduledWorkflows(folder: string): Promise<string[]> {
  const place = join(folder, ".github", "workflows");
  const names = await readdir(place).catch(() => []);
  const found: string[] = [];
  for (const name of names.sort()) {
    if (!/\.ya?ml$/.test(name)) continue;
    const text = await readFile(join(place, name), "utf8").catch(() => "");
    if (/^\s+schedule:/m.test(text) && /\boffprint\b/.test(text)) found.push(join(".github", "workflows", name));
  }
  return found;
}
