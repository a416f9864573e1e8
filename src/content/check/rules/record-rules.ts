import { nameOf } from "../../../contract/shape-faults.js";
import { kindOf } from "../../../snapshot/part-kinds.js";
import type { CheckedSpace } from "../facts/checked-space.js";
import type { GlobalReport, GlobalRule } from "../facts/rule.js";
import { mostFaults } from "../facts/shape-draft.js";
import type { ShardFacts } from "../facts/shard-facts.js";

/** The upstream changed; the content is not at fault. */
export const recordKeyUnknown: GlobalRule = {
  code: "RECORD_KEY_UNKNOWN",
  level: "info",
  about: "Records of a kind have a key that the API does not describe.",
  hint: "Nothing to do. A newer version of Offprint may know the key.",
  async check(space, report) {
    for (const one of await shapeDifferences(space)) if (one.found === null) report(shapeReport(one));
  },
};

/** The upstream changed; the content is not at fault. */
export const recordValueUnknown: GlobalRule = {
  code: "RECORD_VALUE_UNKNOWN",
  level: "info",
  about: "Records of a kind have a value of another type than the API describes.",
  hint: "Check whether the site's code relies on the value. A newer version of Offprint may know it.",
  async check(space, report) {
    for (const one of await shapeDifferences(space)) if (one.found !== null) report(shapeReport(one));
  },
};

/** A key or value type that the API does not describe, once per kind of record. */
interface ShapeDifference {
  kind: string;
  key: string;
  /** The unexpected value; null: the key itself is not described. */
  found: string | null;
  count: number;
  story: GlobalReport["story"];
  /** Where the example is: `links/published[12].alternates[2].locale`; of a story within its record. */
  path: string;
}

/** Where the records of a generation differ from the interface: each kind of record and key once, with an example. */
async function shapeDifferences(space: CheckedSpace): Promise<ShapeDifference[]> {
  const found = new Map<string, ShapeDifference>();
  const reported = new Map<string, number>();
  const add = (
    kind: string,
    fault: ShardFacts["shapeFaults"][number],
    example: (at: number, path: string) => Example,
  ) => {
    const [key, value, count, at, path] = fault;
    const name = `${kind} ${nameOf({ key, found: value })}`;
    const known = found.get(name);
    const ofKind = reported.get(kind) ?? 0;
    if (known !== undefined) known.count += count;
    else if (ofKind < mostFaults) {
      reported.set(kind, ofKind + 1);
      found.set(name, { kind, key, found: value, count, ...example(at, path) });
    }
  };
  for (const edition of space.editions) {
    for (const { start, facts } of edition.shards) {
      for (const fault of facts.shapeFaults) {
        add("stories", fault, (at, path) => ({ story: { edition, at: start + at }, path }));
      }
    }
  }
  for (const { part, start, faults } of await space.otherShapes()) {
    for (const fault of faults) {
      const example = (at: number, path: string) => ({ story: undefined, path: `${part}[${start + at}].${path}` });
      add(kindOf(part) ?? part, fault, example);
    }
  }
  return [...found.values()];
}

type Example = Pick<ShapeDifference, "story" | "path">;

/** Unknown keys of stories keep the id they had before there were kinds. */
function shapeReport({ kind, key, found, count, story, path }: ShapeDifference): GlobalReport {
  const what = `${found === null ? "the key" : "an unexpected value in"} ${JSON.stringify(key.slice(0, 80))}`;
  const records = `${count} ${count === 1 ? "record" : "records"} of ${kind} ${count === 1 ? "has" : "have"} ${what}`;
  const example = story === undefined ? `for example ${path.slice(0, 200)}` : "this one for example";
  return {
    ...(story === undefined ? {} : { story }),
    subject: "upstream",
    wrong: kind === "stories" && found === null ? key : `${kind} ${nameOf({ key, found })}`,
    message: `${records}, ${example}${found === null ? "" : `: ${found}`}.`,
  };
}
