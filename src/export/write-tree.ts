import type { Problem } from "../errors.js";
import { mapBounded } from "../store/map-bounded.js";
import type { Store } from "../store/store.js";
import { type ContentNotes, contentHash, indexFile, notesFile, notesText } from "./content-notes.js";
import { foldedName } from "./content-paths.js";
import type { ContentPlan, PlannedFile } from "./plan-content.js";

/** Files that are rendered and written at the same time. */
const parallel = 16;

export interface TreeCounts {
  written: number;
  removed: number;
  unchanged: number;
}

/** What is known of the folder while it is written. */
interface Tree {
  store: Store;
  /** What the last export wrote. */
  notes: ContentNotes;
  /** Every file that is there, as the disk spells it. */
  sizes: ReadonlyMap<string, number>;
  /** Names that a disk may take for one, by {@link foldedName}. */
  folded: ReadonlyMap<string, readonly string[]>;
  /** Takes the tree out of use before the first change; quiet after that. */
  open(): Promise<void>;
  report(problem: Problem): void;
}

/**
 * Makes the folder hold the files of a plan. Only files that the notes name are replaced or removed; a file that is
 * not ours stays, and is reported where it is in the way.
 */
export async function writeTree(
  store: Store,
  plan: ContentPlan,
  notes: ContentNotes,
  report: (problem: Problem) => void,
): Promise<TreeCounts> {
  const tree = await openTree(store, plan, notes, report);
  const counts: TreeCounts = { written: 0, removed: 0, unchanged: 0 };
  const current: ContentNotes = new Map();
  await mapBounded(plan.files, parallel, async (file) => {
    const result = await writeFile(tree, file);
    if (result === undefined) return;
    current.set(file.path, result.hash);
    counts[result.outcome] += 1;
  });
  counts.removed = await removeStale(tree, current);
  await close(tree, plan, current);
  return counts;
}

async function openTree(store: Store, plan: ContentPlan, notes: ContentNotes, report: Tree["report"]): Promise<Tree> {
  const entries = await store.list("");
  const sizes = new Map(entries.map(({ name, size }) => [name, size]));
  const folded = new Map<string, string[]>();
  for (const { name } of entries) folded.set(foldedName(name), [...(folded.get(foldedName(name)) ?? []), name]);
  let opening: Promise<void> | undefined;
  const open = async (): Promise<void> => {
    // Should this export be interrupted, the next one knows by these notes which files may be ours.
    const intended: ContentNotes = new Map(notes);
    for (const { path } of plan.files) if (!intended.has(path) && !folded.has(foldedName(path))) intended.set(path, "");
    await store.remove(indexFile);
    await store.replace(notesFile, Buffer.from(notesText(intended)));
    await store.flush();
  };
  return {
    store,
    notes,
    sizes,
    folded,
    report,
    open: () => {
      opening ??= open();
      return opening;
    },
  };
}

async function writeFile(
  tree: Tree,
  file: PlannedFile,
): Promise<{ outcome: "written" | "unchanged"; hash: string } | undefined> {
  const text = file.render();
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text);
  const hash = contentHash(bytes);
  if (await isSame(tree, file.path, bytes)) return { outcome: "unchanged", hash };
  const spellings = tree.folded.get(foldedName(file.path)) ?? [];
  const foreign = (tree.sizes.has(file.path) ? [file.path] : spellings).find((name) => !tree.notes.has(name));
  if (foreign !== undefined) {
    tree.report(inTheWay(foreign));
    return undefined;
  }
  await tree.open();
  // Our file under another spelling of the name: on some disks the same file, so it has to go first.
  for (const name of spellings) if (name !== file.path && tree.notes.has(name)) await tree.store.remove(name);
  await tree.store.replace(file.path, bytes);
  return { outcome: "written", hash };
}

async function isSame(tree: Tree, path: string, bytes: Buffer): Promise<boolean> {
  return tree.sizes.get(path) === bytes.length && bytes.equals((await tree.store.get(path)) ?? Buffer.alloc(0));
}

/** Removes what an earlier export wrote and this one did not; a file that someone changed since is theirs. */
async function removeStale(tree: Tree, current: ContentNotes): Promise<number> {
  const kept = new Set([...current.keys()].map(foldedName));
  const stale = [...tree.notes].filter(([path]) => !kept.has(foldedName(path)) && tree.sizes.has(path));
  const removed = await mapBounded(stale, parallel, async ([path, hash]) => {
    const bytes = await tree.store.get(path);
    if (bytes === undefined) return 0;
    if (hash !== "" && contentHash(bytes) !== hash) {
      tree.report(editedByHand(path));
      return 0;
    }
    await tree.open();
    await tree.store.remove(path);
    return 1;
  });
  return removed.reduce<number>((sum, count) => sum + count, 0);
}

/** Notes, then the index; neither is touched when it has these bytes already. */
async function close(tree: Tree, plan: ContentPlan, current: ContentNotes): Promise<void> {
  const { store } = tree;
  const notes = Buffer.from(notesText(current));
  const index = Buffer.from(`${JSON.stringify(plan.index, null, 1)}\n`);
  const [oldNotes, oldIndex] = await Promise.all([store.get(notesFile), store.get(indexFile)]);
  const isNoted = oldNotes !== undefined && notes.equals(oldNotes);
  if (isNoted && oldIndex !== undefined && index.equals(oldIndex)) return;
  await tree.open();
  await store.replace(notesFile, notes);
  await store.flush();
  await store.replace(indexFile, index);
  await store.flush();
}

function inTheWay(path: string): Problem {
  return {
    code: "OUTPUT_UNUSABLE",
    message: `The content folder holds a file ${JSON.stringify(path)} that is not ours; it was kept, and ours is missing.`,
    hint: "Move that file away, or choose another content.dir.",
  };
}

function editedByHand(path: string): Problem {
  return {
    code: "OUTPUT_UNUSABLE",
    message: `The content file ${JSON.stringify(path)} has no place any more, but was changed by hand; it was kept.`,
    hint: "Remove it when you do not need it.",
  };
}
