import { printable } from "../lib/printable.js";
import { plural } from "../lib/quantity-text.js";
import type { EntryChange } from "../snapshot/entry-changes.js";
import { editionText, movedFolders, movedText, type StoryDifference } from "../snapshot/story-differences.js";
import type { Style } from "./terminal.js";

/** A line of `diff`: what happened, and to what. */
export interface DiffLine {
  mark: "+" | "~" | "-";
  style: Style;
  text: string;
}

const marks = {
  added: { mark: "+", style: "green" },
  changed: { mark: "~", style: "yellow" },
  moved: { mark: "~", style: "yellow" },
  removed: { mark: "-", style: "red" },
} as const;

/** A line for each story, with its editions where there are several; stories that moved with their folder are one line. */
export function storyLines(differences: readonly StoryDifference[], hasEditions: boolean): DiffLine[] {
  const { folders, others } = movedFolders(differences);
  return [
    ...folders.map(({ stories, ...moved }) => {
      return { ...marks.moved, text: printable(movedFolderText({ ...moved, full_slug: moved.to }, stories.length)) };
    }),
    ...others.map((story) => {
      const editions = hasEditions ? ` (${story.editions.map(editionText).join(", ")})` : "";
      return { ...marks[story.kind], text: printable(movedText(story) + editions) };
    }),
  ];
}

/** `folder press → newsroom, 8 stories` */
export function movedFolderText(folder: Parameters<typeof movedText>[0], stories: number): string {
  return `folder ${movedText(folder)}, ${plural(stories, "story", "stories")}`;
}

/** `labels › footer.lamp: "on" → "off"`, a line for each value of an entry. */
export function entryLines(changes: readonly EntryChange[]): DiffLine[] {
  return changes.flatMap(({ kind, datasource, name, values }) => {
    const entry = `${datasource} › ${name}`;
    if (values.length === 0) return [{ ...marks[kind], text: printable(entry) }];
    return values.map(({ dimension, before, after }) => {
      const what = dimension === "" ? entry : `${entry} (${dimension})`;
      const shown = [before, after].flatMap((value) => (value === null ? [] : [JSON.stringify(value)]));
      return { ...marks[kind], text: printable(`${what}: ${shown.join(" → ")}`) };
    });
  });
}
