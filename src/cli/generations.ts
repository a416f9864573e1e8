import { orUndefined } from "../lib/or-undefined.js";
import { plural } from "../lib/quantity-text.js";
import { machineTimeZone, wallTimeText } from "../lib/zoned-time.js";
import { compareStories } from "../snapshot/compare-stories.js";
import { waitingGenerations } from "../snapshot/cursors.js";
import type { Manifest } from "../snapshot/manifest.js";
import { type DatedManifest, datedManifests, type KeepReason, keepRule, planRetention } from "../snapshot/retention.js";
import type { Store } from "../snapshot/store/store.js";
import { countDifferences, differenceCountsText } from "../snapshot/story-differences.js";
import type { CommandContext } from "./context.js";
import { currentSnapshot } from "./missing-snapshot.js";
import { tableText } from "./status-table.js";

/** So many are listed without `--all`: each reads the shards in which it differs from the one before. */
const listed = 30;

type ListedGeneration = Awaited<ReturnType<typeof rowOf>>;

/** `offprint generations`: which are kept, what each changed, why and until when it is kept. */
export async function runGenerations(context: CommandContext, { all = false }: { all?: boolean }): Promise<number> {
  const { config, store, manifest: current } = await currentSnapshot(context);
  const nowMs = Date.now();
  const waiting = await waitingGenerations(store, nowMs - config.consumers.keepMs);
  const kept = await datedManifests(store, current, waiting);
  const rule = keepRule(config.output);
  const plan = planRetention(kept, rule, nowMs);
  const rows: ListedGeneration[] = [];
  for (const [index, { manifest, generation }] of kept.entries()) {
    if (!all && index >= listed) break;
    rows.push(await rowOf(store, manifest, kept[index + 1], plan.get(generation) ?? []));
  }

  const { terminal } = context;
  const timeZone = machineTimeZone();
  const header = ["generation", `committed (${timeZone})`, "cv", "stories", "kept"];
  const [head = "", ...lines] = tableText([header, ...rows.map((row) => cellsOf(row, rule.last, timeZone))]);
  terminal.data(head);
  for (const [index, line] of lines.entries()) {
    terminal.data(rows[index]?.keep.length === 0 ? terminal.paint("dim", line) : line);
  }
  const more = kept.length - rows.length;
  if (more > 0) terminal.say(`… and ${plural(more, "earlier one")}: \`offprint generations --all\``);
  const document = rows.map(({ keep, ...row }) => ({
    ...row,
    keep: keep.map(({ rule: why, untilMs }) => ({
      rule: why,
      until: untilMs === null ? null : new Date(untilMs).toISOString(),
    })),
  }));
  terminal.document({ schema: 1, current: current.generation, kept: kept.length, rule, generations: document });
  return 0;
}

/** A kept generation, and how its stories differ from those of the kept one before it, unless a file is damaged. */
async function rowOf(
  store: Store,
  { generation, committedAt, cv, level, held, ...manifest }: Manifest,
  before: DatedManifest | undefined,
  keep: readonly KeepReason[],
) {
  const row = { generation, committedAt, cv, level, held, since: before?.generation ?? null, keep };
  const changes = before && (await orUndefined(compareStories(store, before.manifest, manifest), "SNAPSHOT_DAMAGED"));
  return { ...row, stories: changes === undefined ? null : countDifferences(changes) };
}

function cellsOf(row: ListedGeneration, last: number, timeZone: string): string[] {
  const { generation, held, committedAt, cv, since, stories, keep } = row;
  return [
    `${generation}${held ? ", held" : ""}`,
    wallTimeText(Date.parse(committedAt), timeZone),
    String(cv ?? "unknown"),
    stories === null ? (since === null ? "the first" : "damaged") : differenceCountsText(stories),
    keptText(keep, last, timeZone),
  ];
}

const dated: Readonly<Partial<Record<KeepReason["rule"], string>>> = {
  hours: "hourly",
  days: "daily",
  weeks: "weekly",
  grace: "grace",
};

/** The reasons without a date, and the one with the latest: `last 3, weekly until 2026-12-21 01:00` */
function keptText(keep: readonly KeepReason[], last: number, timeZone: string): string {
  if (keep.length === 0) return "until the next commit";
  if (keep[0]?.rule === "newest") return "the newest";
  const undatedOnes = keep.flatMap(({ rule }) =>
    rule === "last" ? [`last ${last}`] : dated[rule] === undefined ? [rule] : [],
  );
  const latest = keep.toSorted((a, b) => (b.untilMs ?? 0) - (a.untilMs ?? 0))[0];
  if (latest?.untilMs == null) return undatedOnes.join(", ");
  const until = `${dated[latest.rule]} until ${wallTimeText(latest.untilMs, timeZone).slice(0, 16)}`;
  return [...undatedOnes, until].join(", ");
}
