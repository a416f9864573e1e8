import type { Reader } from "../../snapshot/reader/reader.js";
import type { ChangedAnswers } from "./changed-answers.js";
import type { FileList } from "./rendering.js";
import type { TreeRecord } from "./tree-record.js";

/** A story in one edition. */
export interface ChangedStory {
  /** Edition name, `published/de`. */
  edition: string;
  uuid: string;
  full_slug: string;
}

/** A story whose slug or real path changed. It is also listed as changed. */
export interface MovedStory extends ChangedStory {
  /** The full slug that it had before. */
  from: string;
  /** The real path that it had before; absent if it had none. */
  fromPath?: string;
}

/** The stories that differ between two generations: the body of `changes.json`, without `affected`. */
export interface ContentChanges {
  /** Generation that the changes start from; null when there was none. */
  from: number | null;
  /** Generation that they lead to. */
  to: number;
  /** There where it is not known what was before: every story may be new, and the lists are empty. */
  full?: true;
  added: ChangedStory[];
  changed: ChangedStory[];
  removed: ChangedStory[];
  moved: MovedStory[];
}

/** Collects stories that did not change themselves, but show something that did. */
export interface AffectedStories {
  /** Notes a story that was rendered and read the answers to these keys, when one of them has changed. */
  rendered(edition: string, uuid: string, keys: readonly string[]): void;
  /**
   * Notes the stories whose page has another file than before: another story came or went whose path some disk takes for
   * the same.
   * @param files those that are planned
   * @param wasThere true for the path of a file that an earlier export wrote
   */
  placed(files: FileList, wasThere: (path: string) => boolean): void;
  /** In edition, then uuid order. */
  list(): ChangedStory[];
}

interface AffectedOptions {
  /** What the last export left. */
  record: TreeRecord;
  changed: ChangedAnswers;
  changes: ContentChanges | undefined;
}

/**
 * With a record of the generation that the changes start from, a story is affected when one of the answers that it read
 * has changed. Without such a record it is affected when it reads anything of a changed story.
 */
export function affectedStories(
  reader: Reader,
  { record, changed: changedAnswers, changes }: AffectedOptions,
): AffectedStories {
  const affected = new Map<string, ChangedStory>();
  const { added = [], changed = [], removed = [] } = changes ?? {};
  const own = new Set([...added, ...changed, ...removed].map(({ edition, uuid }) => keyOf(edition, uuid)));
  const isFromNotes = changes !== undefined && record.readers.length > 0 && record.generation === changes.from;
  const isOther = (key: string): boolean => {
    if (isFromNotes) return changedAnswers.keys.has(key);
    const [kind, edition, uuid] = JSON.parse(key) as [string, string, string];
    return (kind === "story" || kind === "reference") && own.has(keyOf(edition, uuid));
  };
  const isOwn = (edition: string, uuid: string): boolean =>
    changes === undefined || changes.from === null || own.has(keyOf(edition, uuid));
  const add = (edition: string, uuid: string): void => {
    const full_slug = reader.reference(edition, uuid)?.full_slug ?? "";
    affected.set(keyOf(edition, uuid), { edition, uuid, full_slug });
  };
  return {
    rendered(edition, uuid, keys) {
      if (!isOwn(edition, uuid) && keys.some(isOther)) add(edition, uuid);
    },
    placed(files, wasThere) {
      if (!isFromNotes) return;
      for (let at = 0; at < files.length; at += 1) {
        const { path, stories, lines } = files.at(at)!;
        const [uuid] = lines === undefined ? (stories?.uuids ?? []) : [];
        if (uuid === undefined || wasThere(path) || isOwn(stories!.edition, uuid)) continue;
        add(stories!.edition, uuid);
      }
    },
    list: () => [...affected].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, story]) => story),
  };
}

/** A key for maps; the name of an edition has no line feed. */
function keyOf(edition: string, uuid: string): string {
  return `${edition}\n${uuid}`;
}
