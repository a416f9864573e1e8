import { parts } from "../../../snapshot/layout.js";
import { readRecords } from "../../../snapshot/read-records.js";
import type { Store } from "../../../snapshot/store/store.js";
import { translationState } from "../../diff/translation-state.js";
import type { CheckedEdition } from "../facts/checked-space.js";
import { type FindingStory, findingStory } from "../finding.js";
import type { ReadSpace } from "../read-checked-space.js";
import type { Usage } from "./usage.js";

/**
 * Which stories are in a language, and which are not translated to it; undefined if the snapshot does not have it.
 * @throws OffprintError `SNAPSHOT_DAMAGED`
 */
export async function languageUsage(store: Store, space: ReadSpace, name: string): Promise<Usage | undefined> {
  const edition = editionIn(space, name);
  const base = editionIn(space, "default");
  if (edition === undefined) return undefined;
  const compared = base === undefined || base === edition ? undefined : await compare(store, space, base, edition);
  const stories =
    compared?.translated ?? Array.from({ length: edition.count }, (_, at) => findingStory({ edition, at }));
  const users = stories.map((story) => ({ ...story, times: 1, fields: [], fieldTitles: [] }));
  const { missing, same } = compared ?? {};
  const untranslated = base && missing && same && { of: base.count, missing, same };
  return { kind: "language", name, times: users.length, users, ...(untranslated && { untranslated }) };
}

export function editionIn({ editions }: Pick<ReadSpace, "editions">, language: string): CheckedEdition | undefined {
  return editions.find(({ entry }) => entry.language === language);
}

/** Reads a shard of the default language at a time, with the same stories in the other one. */
async function compare(store: Store, { manifest }: ReadSpace, base: CheckedEdition, edition: CheckedEdition) {
  const found = { translated: [] as FindingStory[], missing: [] as FindingStory[], same: [] as FindingStory[] };
  const linesOf = async ({ entry }: CheckedEdition, uuids: ReadonlySet<string>) => {
    const part = parts.stories(entry.name);
    const lines = await readRecords(store, part, manifest.parts[part], uuids);
    return (uuid: string) => (lines.has(uuid) ? Buffer.from(lines.get(uuid)!) : undefined);
  };
  for (const { start, facts } of base.shards) {
    const uuids = Array.from({ length: facts.count }, (_, inside) => facts.uuid(inside));
    const [own, other] = [await linesOf(base, new Set(uuids)), await linesOf(edition, new Set(uuids))];
    for (const [inside, uuid] of uuids.entries()) {
      const at = edition.find(facts.uuidHashes[inside]!);
      const state = translationState(own(uuid) ?? Buffer.alloc(0), at === undefined ? undefined : other(uuid));
      const story = at === undefined || state === "missing" ? { edition: base, at: start + inside } : { edition, at };
      found[state].push(findingStory(story));
    }
  }
  return found;
}
