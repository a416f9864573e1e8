import { lowerBound } from "../../lib/collections/lower-bound.js";
import { repeatedTexts } from "../../lib/collections/repeated-texts.js";
import { OffprintError, type Problem } from "../../lib/errors.js";
import { linesText } from "../../lib/json/lines.js";
import { shortHash } from "../../snapshot/reader/noting-reader.js";
import type { NotedReader } from "../../snapshot/reader/reader.js";
import type { ContentChanges } from "./content-changes.js";
import { hasStoryFiles } from "./content-folder.js";
import type { ContentIndex, ContentIndexEdition } from "./content-index.js";
import type { ContentInputs } from "./content-inputs.js";
import { contentPaths, foldedName } from "./content-paths.js";
import { datasourceRows } from "./datasource-rows.js";
import type { FileNote } from "./file-note.js";
import { linksEntry, planLinks } from "./links-files.js";
import { planMarkdownPaths } from "./markdown-paths.js";
import { planEdition } from "./plan-edition.js";
import type { WrittenPart } from "./record-part.js";
import { collectRedirects, type Redirect } from "./redirects.js";
import type { FileList, PlannedFile } from "./rendering.js";
import { editionInputs } from "./story-text.js";

export interface ContentPlan {
  /** All files except those of history, `index.json` and those that are kept; no two have the same path. */
  files: FileList;
  /** Files of the last export that are as they were written, and would be rendered so again; default: it is not known of any. */
  kept?: KeptFiles;
  editions: ContentIndexEdition[];
  datasources: ContentIndex["datasources"];
  links: ContentIndex["links"];
  /** The redirects that the tree has, see `collectRedirects`. */
  redirects(earlier: Uint8Array | undefined, changes: ContentChanges | undefined): Redirect[];
}

export interface KeptFiles {
  /** The parts of the record that may change. All files of the others are kept. */
  opened: ReadonlyMap<string, WrittenPart>;
  /** The files of these parts that are kept nevertheless. */
  files: readonly KeptFile[];
  /** What the rendering of the files of all other parts reported. */
  problems: readonly Problem[];
}

/** A file that is kept. @see WrittenPart */
export interface KeptFile {
  path: string;
  /** The name of its part in the record. */
  part: string;
  note: FileNote;
}

/** Which files the content tree of a generation has. Nothing is rendered yet. */
export function planContent(inputs: ContentInputs): ContentPlan {
  const { reader } = inputs;
  const markdown = planMarkdownPaths(inputs);
  const editions = reader.manifest.editions.map((edition) => {
    return planEdition(editionInputs(inputs, edition), markdown.get(edition.name));
  });
  const datasources = planDatasources(inputs);
  const links = hasStoryFiles(inputs.config) ? planLinks(inputs, editions) : [];
  const files = joined([...editions.map((edition) => edition.files), datasources.map(({ file }) => file), links]);
  assertDistinct(files);
  return {
    files,
    editions: editions.map(({ entry }) => entry),
    datasources: datasources.map(({ entry }) => entry),
    links: linksEntry(links.map(({ path }) => path)),
    redirects: (earlier, changes) => collectRedirects(earlier, changes, editions),
  };
}

/** The files of several lists, one behind the other. */
function joined(lists: readonly FileList[]): FileList {
  const ends: number[] = [];
  for (const { length } of lists) ends.push((ends.at(-1) ?? 0) + length);
  return {
    length: ends.at(-1) ?? 0,
    at(index) {
      const list = lowerBound(ends.length, (one) => ends[one]! > index);
      return lists[list]?.at(index - (ends[list - 1] ?? 0));
    },
  };
}

/** Two files of one path would overwrite each other in an undefined order. */
function assertDistinct(files: FileList): void {
  const repeated = repeatedTexts(function* () {
    for (let at = 0; at < files.length; at += 1) yield foldedName(files.at(at)!.path);
  });
  for (const path of repeated) {
    throw new OffprintError("UNEXPECTED", `Two content files would have the path "${path}".`);
  }
}

/** The files of the datasources, each with its entry of `index.json`. */
export function planDatasources(
  inputs: ContentInputs,
): { file: PlannedFile; entry: ContentIndex["datasources"][number] }[] {
  const { reader, read, config } = inputs;
  const datasources = hasStoryFiles(config) ? (reader.datasources() ?? []) : [];
  const paths = contentPaths(
    datasources.map(({ id, slug }) => ({ key: String(id), segments: [{ name: slug }], suffix: "" })),
    ".json",
  );
  return datasources.map(({ id, slug, name }) => {
    const path = `datasources/${paths.get(String(id))}`;
    return {
      file: { path, basis: shortHash(`datasource ${id}`), render: () => datasourceText(read, id) },
      entry: { slug, name, file: path, entries: reader.entries(id, null)?.length ?? 0 },
    };
  });
}

function datasourceText(read: NotedReader, id: number): string | undefined {
  const datasource = read.datasource(id);
  if (datasource === undefined) return undefined;
  const rows = datasourceRows(datasource, (dimensionId) => read.entries(id, dimensionId));
  return linesText(rows.map((row) => JSON.stringify(row)));
}
