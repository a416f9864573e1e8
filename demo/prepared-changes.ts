import type { DemoStory } from "./demo-story.js";
import { numeral } from "./fields.js";
import { uuidOf } from "./identifiers.js";
import type { Language } from "./space.js";
import { lastSegment } from "./story-place.js";
import type { Text } from "./translated.js";
import { writtenSpace } from "./written-space.js";

/** What an editor can do to the demo space, in the order in which a newcomer is shown it. */
export const editKinds = ["publish", "rename", "delete", "create", "translate", "datasource", "unpublish"] as const;

export type EditKind = (typeof editKinds)[number];

/** A change that is ready to be made. It names stories and folders by their first path, also after a rename. */
export type Change =
  | { kind: "publish"; path: string; name?: Text; content: Record<string, unknown> }
  | { kind: "rename"; path: string; slug: string }
  | { kind: "delete"; path: string }
  | { kind: "unpublish"; path: string; isBack: boolean }
  | { kind: "create"; story: DemoStory; number: number }
  | {
      kind: "translate";
      path: string;
      language: Language;
      slug: string;
      name: string;
      content: Record<string, string>;
    }
  | { kind: "datasource"; datasource: string; entry: string; value: string };

/**
 * The change of this kind at this step, from 0; undefined where there are not so many. Publishing, renaming and
 * unpublishing never end.
 */
export function preparedChange(kind: EditKind, step: number): Change | undefined {
  return changesOf[kind](step);
}

const changesOf: { readonly [kind in EditKind]: (step: number) => Change | undefined } = {
  publish: publication,
  rename: renaming,
  delete: deletion,
  create: creation,
  translate: translation,
  datasource: entry,
  unpublish: withdrawal,
};

/** The uuid of the story or folder that a change is made to; of a datasource entry its datasource and name. */
export function targetOf(change: Change): string {
  if (change.kind === "create") return uuidOf(change.story.path);
  if (change.kind === "rename") return uuidOf(`folder ${change.path}`);
  if (change.kind === "datasource") return `${change.datasource}/${change.entry}`;
  return uuidOf(change.path);
}

/** A headline, a price and an answer in turn; each time it is another one. */
function publication(step: number): Change {
  const { changes, stories } = writtenSpace();
  const round = Math.floor(step / 3);
  if (step % 3 === 0) {
    const headline = changes.headlines[round % changes.headlines.length] ?? "";
    return { kind: "publish", path: "press/the-lamp-over-the-door", name: headline, content: { headline } };
  }
  if (step % 3 === 1) {
    const path = "books/shore/the-harbour-lights";
    const price = Number(stories.find((story) => story.path === path)?.content.price);
    return { kind: "publish", path, content: { price: numeral(price + 1.5 * (round + 1), 2) } };
  }
  const answer = changes.answers[round % changes.answers.length];
  return { kind: "publish", path: "help/do-you-sell-e-books", content: { answer } };
}

/** Each folder gets its new slug, and in the next round its old one again. */
function renaming(step: number): Change | undefined {
  const { renamed } = writtenSpace().changes;
  const folder = renamed[step % renamed.length];
  if (folder === undefined) return undefined;
  const { path, slug } = folder;
  const isBack = Math.floor(step / renamed.length) % 2 === 1;
  return { kind: "rename", path, slug: isBack ? lastSegment(path) : slug };
}

function deletion(step: number): Change | undefined {
  const path = writtenSpace().changes.deleted[step];
  return path === undefined ? undefined : { kind: "delete", path };
}

/** Each story is taken back, and in the next round published again as it was. */
function withdrawal(step: number): Change | undefined {
  const { unpublished } = writtenSpace().changes;
  const path = unpublished[step % unpublished.length];
  const isBack = Math.floor(step / unpublished.length) % 2 === 1;
  return path === undefined ? undefined : { kind: "unpublish", path, isBack };
}

function creation(step: number): Change | undefined {
  const story = writtenSpace().changes.created[step];
  // The day counts for the id alone: an editor's story gets its times from the edit.
  return story === undefined ? undefined : { kind: "create", number: step, story: { ...story, date: "2025-09-15" } };
}

function translation(step: number): Change | undefined {
  const found = writtenSpace().changes.translated[step];
  if (found === undefined) return undefined;
  const { answer, ...change } = found;
  return { kind: "translate", ...change, content: { question: change.name, answer } };
}

function entry(step: number): Change | undefined {
  const change = writtenSpace().changes.entries[step];
  return change === undefined ? undefined : { kind: "datasource", ...change };
}
