import type { SharedValues } from "../../../src/watch/fleet/shared-values.js";

/** Values in memory, with a clock that is ahead of ours, and a connection that may be lost. */
export function memoryValues(options: { now(): number; aheadMs?: number; isGone?: () => boolean }) {
  const { now, aheadMs = 0, isGone = () => false } = options;
  const kept = new Map<string, string>();
  const arrive = async () => {
    await Promise.resolve();
    if (isGone()) throw new Error("Connection is closed.");
  };
  const values: SharedValues = {
    async read(group, key) {
      await arrive();
      return { value: kept.get(`${group} ${key}`), nowMs: now() + aheadMs };
    },
    async replace(group, key, before, after) {
      await arrive();
      const place = `${group} ${key}`;
      if (kept.get(place) !== before) return false;
      if (after === undefined) kept.delete(place);
      else kept.set(place, after);
      return true;
    },
    async put(group, key, value) {
      await arrive();
      kept.set(`${group} ${key}`, value);
    },
    async list(group) {
      await arrive();
      const found = [...kept].filter(([place]) => place.startsWith(`${group} `));
      return new Map(found.map(([place, value]) => [place.slice(group.length + 1), value]));
    },
    async close() {},
  };
  return { values, kept };
}
