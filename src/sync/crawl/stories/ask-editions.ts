import type { EditionSpec } from "../run/editions.js";
import type { askEdition, EditionAnswers, EditionAsk } from "./ask-edition.js";
import type { Batch } from "./batches.js";
import { isUnpublishedIn } from "./verdict.js";

/** Asks for a batch in all of its editions. */
export interface EditionsAsk extends EditionAsk {
  rules: { askEdition: typeof askEdition };
  /** Which of these stories an edition has, as far as it is staged. */
  stagedIn(edition: EditionSpec, uuids: ReadonlySet<string>): Promise<ReadonlySet<string>>;
}

/**
 * Asks for a batch in every edition. A translation that is missing is asked for again under another address before its
 * absence is believed, where the answer looks wrong: it lacks a story that was there before, or it has none at all.
 * @returns the answers in the order of the editions
 */
export async function askEditions(ask: EditionsAsk, { editions, uuids }: Batch): Promise<EditionAnswers[]> {
  const answers = await Promise.all(editions.map((edition) => ask.rules.askEdition(ask, edition, uuids)));
  return Promise.all(
    editions.map(async (edition, at) => {
      const found = answers[at] as EditionAnswers;
      const absent = uuids.filter((uuid) => !found.has(uuid) && isExpected(ask, edition, uuid, answers));
      if (absent.length === 0) return found;
      if (found.size > 0 && (await ask.stagedIn(edition, new Set(absent))).size === 0) return found;
      const again = await ask.rules.askEdition({ ...ask, variation: ask.variation + 1 }, edition, absent);
      return new Map([...found, ...again]);
    }),
  );
}

/** Whether an edition should have a story: it is listed, another edition has it, and no flag calls it unpublished. */
function isExpected(
  { index }: EditionsAsk,
  edition: EditionSpec,
  uuid: string,
  answers: readonly EditionAnswers[],
): boolean {
  const row = index.get(uuid);
  if (row === undefined || isUnpublishedIn(row.value, edition)) return false;
  return answers.length === 1 || answers.some((found) => found.has(uuid));
}
