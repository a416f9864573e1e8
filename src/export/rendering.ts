import type { Problem } from "../errors.js";
import type { NotingReader } from "../reader/noting-reader.js";
import type { ContentNotes, FileNote } from "./content-notes.js";

/** One file of the content tree. */
export interface PlannedFile {
  /** Relative to the content folder. */
  path: string;
  /** Short hash of everything that shapes it beside what it reads: settings, and which records belong into it. */
  basis: string;
  /** Its text; undefined when it cannot be rendered, which was reported. */
  render(): string | undefined;
}

/** What came of rendering a file. */
export interface RenderedFile {
  text: string | undefined;
  keys: readonly string[];
  problems: readonly Problem[];
}

/** Renders files and notes what each of them read and reported. */
export interface Rendering {
  /** Where renderers report to. */
  report(problem: Problem): void;
  render(file: PlannedFile): RenderedFile;
  /** Whether rendering the file again would give what the note tells of: nothing that it read has changed. */
  isCurrent(file: PlannedFile, note: FileNote): boolean;
}

export function openRendering(noting: NotingReader, notes: ContentNotes): Rendering {
  let found: Problem[] = [];
  return {
    report: (problem) => {
      found.push(problem);
    },
    render(file) {
      const problems: Problem[] = [];
      found = problems;
      const { result: text, keys } = noting.noted(() => file.render());
      return { text, keys: [...keys], problems: distinct(problems) };
    },
    isCurrent: (file, note) =>
      note.basis === file.basis && note.keys.every((key) => noting.answer(key) === notes.answers.get(key)),
  };
}

function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.code} ${problem.message}`, problem])).values()];
}
