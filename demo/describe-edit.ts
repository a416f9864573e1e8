import { contentTree, initialState } from "./content-tree.js";
import { applyEdits, type EditLog } from "./edits.js";
import { uuidOf } from "./identifiers.js";
import { type Change, preparedChange, targetOf } from "./prepared-changes.js";
import type { SpaceState } from "./space-state.js";
import { fullSlugOf } from "./story-place.js";
import { storyLine } from "./story-records.js";
import { inLanguage } from "./translated.js";

/**
 * What an edit of the log did, in one sentence that names the story, folder or entry.
 *
 * @param index Which edit, from 0.
 * @throws OffprintError `DEMO_EDITS_INVALID` where the log does not fit this space
 */
export function describeEdit(log: EditLog, index: number): string {
  const [before, after] = [index, index + 1].map((count) =>
    applyEdits(initialState(), { ...log, edits: log.edits.slice(0, count) }),
  );
  const edit = log.edits[index];
  const change = edit === undefined ? undefined : preparedChange(edit.kind, edit.step);
  if (before === undefined || after === undefined || change === undefined) {
    throw new RangeError(`the log has no edit ${index}`);
  }
  return describe(before, change, after);
}

function describe(before: SpaceState, change: Change, after: SpaceState): string {
  const [from, to] = [addressOf(before, change), addressOf(after, change)];
  switch (change.kind) {
    case "publish":
      return `Published ${to} with ${changedFields(change)}.`;
    case "rename":
      return `Renamed the folder ${from} to ${to}: ${storiesBelow(after, change.path)} stories below it moved, none was published anew.`;
    case "delete":
      return `Deleted ${from}. ${references(after, change.path)}`;
    case "create":
      return `Created ${to}: "${inLanguage(change.story.name, "default")}".`;
    case "translate":
      return `Published ${from} in one more language, ${change.language}: "${change.name}".`;
    case "unpublish":
      return change.isBack
        ? `Published ${to} again, as it was.`
        : `Unpublished ${from}. ${references(before, change.path)}`;
    case "datasource":
      return `Set the entry ${change.entry} of the datasource ${change.datasource} to "${change.value}".`;
  }
}

function addressOf(state: SpaceState, change: Change): string {
  const tree = contentTree(state);
  if (change.kind === "datasource") return targetOf(change);
  if (change.kind === "rename") {
    return tree.folders.find(({ folder }) => folder.path === change.path)?.paths.default ?? change.path;
  }
  const path = change.kind === "create" ? change.story.path : change.path;
  const place = tree.stories.find(({ story }) => story.path === path);
  return place === undefined ? path : fullSlugOf(place, "default");
}

function changedFields({ content }: Extract<Change, { kind: "publish" }>): string {
  return Object.entries(content)
    .map(([field, value]) => `another ${field}: ${JSON.stringify(value)}`)
    .join(", ");
}

/** Published stories, the start page of the folder among them: what sync finds moved. */
function storiesBelow(state: SpaceState, path: string): number {
  const published = [...state.stories.values()].filter(({ story }) => story.state === undefined);
  return published.filter(({ story }) => `${story.path}/`.startsWith(`${path}/`)).length;
}

/** Names the other stories: one that names itself is no reader's broken link. */
function references(state: SpaceState, path: string): string {
  const reading = { version: "published", language: "default", release: false } as const;
  const uuid = uuidOf(path);
  const places = contentTree(state).stories.filter(
    (place) => place.story.path !== path && storyLine(place, reading)?.text.includes(uuid),
  );
  if (places.length === 0) return "No story named it.";
  const slugs = places.map((place) => fullSlugOf(place, "default"));
  return `${slugs.join(", ")} still ${slugs.length === 1 ? "names" : "name"} it.`;
}
