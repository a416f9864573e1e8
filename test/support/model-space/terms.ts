import type { Edit } from "./edits.js";
import type { Random } from "./random.js";
import type { ModelTerm, SpaceState, Terms } from "./space-state.js";
import { anyStory, withItem } from "./story-changes.js";

/** Two taxonomies with terms, and the stories of these. */
export function initialTerms(random: Random, uuids: readonly string[]): Terms {
  const term = (id: string, parentId: string | null): ModelTerm => ({ id, name: `term-${id}`, parentId });
  const all = [term("100", null), term("101", "100"), term("102", "101"), term("200", null), term("201", "200")];
  const assigned = uuids
    .filter(() => random.chance(0.5))
    .map((uuid): [string, string[]] => [uuid, [random.pick(leaves)]]);
  return { all, assigned: new Map(assigned) };
}

const leaves = ["101", "102", "201"];

/** Assigns a term, takes it away, renames, moves, archives or restores one; no story is published. */
export function termEdit(random: Random, movesCv: boolean): Edit {
  const name = movesCv ? "edit a term" : "edit a term without a new cv";
  return { name, weight: 1, movesCv: () => movesCv, apply: (state) => editTerm(state, random) };
}

function editTerm(state: SpaceState, random: Random): SpaceState | undefined {
  const { terms } = state;
  const story = anyStory(state, random);
  if (terms === undefined || story === undefined) return undefined;
  const id = random.pick(leaves);
  const changed = (change: (term: ModelTerm) => Partial<ModelTerm>): SpaceState => {
    const all = terms.all.map((term) => (term.id === id ? { ...term, ...change(term) } : term));
    return { ...state, terms: { ...terms, all } };
  };
  const kind = random.next();
  if (kind < 0.6) {
    const before = terms.assigned.get(story.uuid) ?? [];
    const now = before.includes(id) ? before.filter((one) => one !== id) : [...before, id];
    return { ...state, terms: { ...terms, assigned: withItem(terms.assigned, story.uuid, now) } };
  }
  if (kind < 0.75) return changed(() => ({ name: `renamed-${random.int(1, 99)}` }));
  if (kind < 0.9) return changed(() => ({ parentId: random.pick(["100", "200"]) }));
  return changed(({ isArchived = false }) => ({ isArchived: !isArchived }));
}

/** A term as it is served; `stored`: without what a sync leaves out. */
function record({ id, name, parentId }: ModelTerm, form: "served" | "stored"): object {
  const last_author = { id: 7, userid: "editor@example.com", friendly_name: "editor@example.com", avatar: null };
  const author = form === "served" ? { last_author_id: 7, last_author } : { last_author_id: 7 };
  return { id, name, display_name: name.toUpperCase(), parent_id: parentId, ...author };
}

export function taxonomiesOf({ terms }: SpaceState, form: "served" | "stored"): string[] {
  return (terms?.all ?? [])
    .filter(({ parentId }) => parentId === null)
    .map((root) => JSON.stringify(record(root, form)));
}

/** Each taxonomy with its terms; archived ones are left out, with those below them. */
export function treesOf(state: SpaceState, form: "served" | "stored", namesStories: boolean): [string, string][] {
  const { all = [], assigned = new Map<string, readonly string[]>() } = state.terms ?? {};
  const storiesOf = (id: string) =>
    [...state.stories.values()]
      .filter(({ uuid }) => assigned.get(uuid)?.includes(id))
      .sort((a, b) => a.id - b.id)
      .map(({ id: story, draft }) =>
        form === "served" ? { id: story, type: "Story", name: draft.name } : { id: story, type: "Story" },
      );
  const tree = (term: ModelTerm): object => ({
    ...record(term, form),
    children: all.filter(({ parentId, isArchived }) => parentId === term.id && !isArchived).map(tree),
    ...(term.parentId !== null && namesStories ? { associated_content: storiesOf(term.id) } : {}),
  });
  return all.filter(({ parentId }) => parentId === null).map((root) => [root.id, JSON.stringify(tree(root))]);
}

/** What a story shows of its terms: archived ones are left out, those below an archived one are not in the trees. */
export function termsOfStory({ terms }: SpaceState, uuid: string, form: "served" | "stored"): object[] {
  const all = new Map(terms?.all.map((term) => [term.id, term]));
  const path = (term: ModelTerm): ModelTerm[] => {
    const parent = term.parentId === null ? undefined : all.get(term.parentId);
    return parent === undefined ? [term] : [...path(parent), term];
  };
  return [...(terms?.assigned.get(uuid) ?? [])].sort().flatMap((id) => {
    const above = path(all.get(id)!);
    if (above.some(({ isArchived }) => isArchived)) return [];
    const [root, parent, term] = [above[0]!, above.at(-2)!, above.at(-1)!];
    const taxonomy = record(root, form);
    return [{ id, name: term.name, taxonomy_id: root.id, parent: { id: parent.id, name: parent.name }, taxonomy }];
  });
}
