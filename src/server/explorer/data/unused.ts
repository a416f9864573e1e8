import type { UsageOverview } from "../../../content/check/usage/usage.js";
import type { ExplorerSpace } from "./explorer-space.js";
import { awaitedPerGeneration } from "./per-generation.js";

/** What is used nowhere, as `offprint usage --unused` lists it. */
export type Unused = UsageOverview["unused"];

const results = awaitedPerGeneration<Unused | "absent">(1);

/** `pending` while it is looked for, `absent` if this explorer does not look. @throws OffprintError as a check does */
export async function unusedOf(
  { source, unused }: ExplorerSpace,
  waitMs: number,
): Promise<Unused | "pending" | "absent"> {
  if (unused === undefined) return "absent";
  return results(source.view(), "", waitMs, async () => (await unused()) ?? "absent");
}
