import { inMap } from "../../../lib/collections/in-map.js";
import type { Problem } from "../../../lib/errors.js";
import type { RecordFault } from "../../upstream/answer.js";

interface NotedFault extends RecordFault {
  list: string;
}

export type RecordProblems = ReturnType<typeof collectRecordProblems>;

/** Collects the faulty records of a crawl, each fault once. */
export function collectRecordProblems() {
  const noted = new Map<string, NotedFault>();
  return {
    note(list: string, faults: readonly RecordFault[]): void {
      for (const fault of faults) noted.set(`${list} ${fault.name} ${fieldOf(fault)}`, { ...fault, list });
    },
    /** True if a record has a fault in this field. */
    has: (field: string): boolean => [...noted.values()].some((fault) => fieldOf(fault) === field),
    /** One problem for each kind of fault of a list; names the first few records. */
    list(): Problem[] {
      const groups = new Map<string, NotedFault[]>();
      for (const fault of noted.values()) {
        const key = JSON.stringify([fault.list, fault.isLeftOut, fieldOf(fault)]);
        inMap(groups, key, () => []).push(fault);
      }
      return [...groups.values()].map(problemOf);
    },
  };
}

/** The field of a fault, without positions in lists: `alternates.name`. */
function fieldOf({ problem }: RecordFault): string {
  return (problem.split(" ", 1)[0] ?? "").replaceAll(/\[\d+\]/g, "");
}

const namesShown = 3;
/** Lists of which an unusable record keeps its previous version. */
const listsOfStories = /^(?:stories|variants|links)\//;
/** A limit that keeps the state small, however many records are faulty. */
const uuidsNoted = 1_000;

/** The records that a problem of these faults is about; none if one has no uuid. */
function aboutOf(faults: readonly NotedFault[]): Pick<Problem, "about"> {
  const uuids = faults.flatMap(({ uuid }) => uuid ?? []);
  if (uuids.length < faults.length || uuids.length > uuidsNoted) return {};
  return { about: { part: faults[0]!.list, uuids } };
}

function problemOf(faults: readonly NotedFault[]): Problem {
  const { list, isLeftOut, problem } = faults[0]!;
  const names = faults.slice(0, namesShown).map(({ name }) => name);
  const more = faults.length > namesShown ? ` and ${faults.length - namesShown} more` : "";
  const records = `In ${list}, ${names.join(", ")}${more}`;
  const rest = { ...(faults.length === 1 ? {} : { count: faults.length }), ...aboutOf(faults) };
  return isLeftOut
    ? {
        code: "RECORD_UNUSABLE",
        message: `${records} cannot be used: ${problem}.`,
        hint: `It was skipped${listsOfStories.test(list) ? "; the previous version, if any, was kept" : ""}. Fix it in the space.`,
        ...rest,
      }
    : {
        code: "FIELD_UNUSABLE",
        message: `${records} was kept, but a field is ignored: ${problem}.`,
        hint: "",
        ...rest,
      };
}
