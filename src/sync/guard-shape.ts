import type { Config } from "../config/config.js";
import { breaks, differenceText } from "../content/model/content-lock.js";
import type { ShownDifference } from "../content/model/lock-file.js";
import { OffprintError, type Problem } from "../lib/errors.js";
import type { ManifestDraft } from "../snapshot/write/commit.js";
import type { SyncContext } from "./sync-context.js";

const hint =
  "See what the site's code makes of it. To agree: set check.drift: warn for one sync, then run `offprint check --write-lock`.";

/**
 * Compares what is to be committed with the lock of the content's shape (`check.drift`).
 *
 * @returns with `warn`, what differs; where there is no lock, that
 * @throws OffprintError `CONTENT_DRIFT` with `freeze`, where a field vanished or changed its type, or a component appeared
 */
export async function guardShape({ config, output }: SyncContext, draft: ManifestDraft): Promise<Problem[]> {
  const { drift } = config.check;
  if (drift === "evolve") return [];
  const { contentDrift } = await import("../content/model/lock-file.js");
  const differences = await contentDrift(output.store, draft, config);
  if (differences === undefined) return [unlocked(config.check)];
  const breaking = differences.filter(breaks);
  const [first] = breaking;
  if (drift === "freeze" && first !== undefined) {
    const more = breaking.length === 1 ? "" : ` And ${breaking.length - 1} more.`;
    throw new OffprintError("CONTENT_DRIFT", `${messageOf(first)}${more}`, { hint });
  }
  return differences.map((difference) => ({ code: "CONTENT_DRIFTED", message: messageOf(difference), hint }));
}

function unlocked({ drift, lock }: Config["check"]): Problem {
  return {
    code: "CONTENT_UNLOCKED",
    message: `check.drift is ${drift}, and there is no ${lock}: the shape of the content is not guarded.`,
    hint: "Run `offprint check --write-lock`, and put the file under version control.",
  };
}

function messageOf(difference: ShownDifference): string {
  const { example } = difference;
  const text = differenceText(difference);
  return example === null ? text : `${text} For example in story ${JSON.stringify(example.slug)} (${example.edition}).`;
}
