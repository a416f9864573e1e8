import type { GlobalRule } from "../rule.js";

/** Told once for each key, with an example: it says that the upstream has changed, not that content is wrong. */
export const recordKeyUnknown: GlobalRule = {
  kind: "global",
  code: "RECORD_KEY_UNKNOWN",
  level: "info",
  about:
    "The records of stories have a key that the interface does not describe; it is kept in the snapshot as it came.",
  hint: "Nothing has to be done. A newer version of Offprint may know the key.",
  check({ editions }, report) {
    const found = new Map<string, { count: number; edition: string; at: number }>();
    for (const { entry, shards } of editions) {
      for (const { start, facts } of shards) {
        for (const [key, count, story] of facts.unknownKeys) {
          const known = found.get(key) ?? { count: 0, edition: entry.name, at: start + story };
          found.set(key, { ...known, count: known.count + count });
        }
      }
    }
    for (const [key, { count, edition, at }] of found) {
      report({
        story: { edition, at },
        subject: "upstream",
        wrong: key,
        message: `${count} ${count === 1 ? "record has" : "records have"} the key ${JSON.stringify(key.slice(0, 80))}, this one for example.`,
      });
    }
  },
};
