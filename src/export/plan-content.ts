import type { Config } from "../config/config.js";
import { OffprintError, type Problem } from "../errors.js";
import type { Reader } from "../reader/reader.js";
import type { BlockRenderer } from "../render/render-context.js";
import { createStoryResolver } from "../render/resolve-story.js";
import { type ContentIndex, contentSettings, newContentIndex } from "./content-index.js";
import { contentPaths, foldedName } from "./content-paths.js";
import { datasourceRows } from "./datasource-rows.js";
import { jsonLines } from "./json-lines.js";
import { linkLines } from "./link-lines.js";
import { type EditionPlan, planEdition } from "./plan-edition.js";

/** One file of the content tree. */
export interface PlannedFile {
  /** Relative to the content folder. */
  path: string;
  /** Its text; undefined when it cannot be rendered, which was reported. */
  render(): string | undefined;
}

export interface PlanOptions {
  reader: Reader;
  config: Config;
  /** What stands in the content file at `path` for the asset with this URL; undefined leaves the URL. */
  assetUrl(url: string, path: string): string | undefined;
  /** Renderers of blocks inside rich text, by component. */
  blocks: ReadonlyMap<string, BlockRenderer>;
  report(problem: Problem): void;
}

export interface ContentPlan {
  /** All files but `index.json`; no two have the same path. */
  files: PlannedFile[];
  index: ContentIndex;
}

export const changesFile = "changes.json";
const linksFile = "links.json";

/**
 * Which files the content tree of a generation has. Nothing is rendered yet.
 *
 * @param changes text of `changes.json`; undefined: there is none
 */
export function planContent(options: PlanOptions, changes: string | undefined): ContentPlan {
  const { reader, config } = options;
  const editions = reader.manifest.editions.map((edition) => {
    const resolver = createStoryResolver(reader, edition.name, edition.language, config.resolve, options.report);
    return planEdition(edition, resolver, options);
  });
  const datasources = planDatasources(options);
  const files = [
    ...editions.flatMap((edition) => edition.files),
    ...datasources.map(({ file }) => file),
    linksJson(editions, options),
    ...(changes === undefined ? [] : [{ path: changesFile, render: () => changes }]),
  ];
  assertDistinct(files);
  const index = newContentIndex({
    generation: reader.manifest.generation,
    settings: contentSettings(config),
    formats: config.content.formats,
    editions: editions.map(({ entry }) => entry),
    datasources: datasources.map(({ entry }) => entry),
    links: linksFile,
    changes: changes === undefined ? null : changesFile,
  });
  return { files, index };
}

/** Two files of one path would overwrite each other, in an order that nobody knows. */
function assertDistinct(files: readonly PlannedFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    if (seen.has(foldedName(path)))
      throw new OffprintError("UNEXPECTED", `Two content files would have the path "${path}".`);
    seen.add(foldedName(path));
  }
}

function linksJson(editions: readonly EditionPlan[], { reader }: PlanOptions): PlannedFile {
  return { path: linksFile, render: () => jsonLines(linkLines(reader, editions)) };
}

function planDatasources({ reader }: PlanOptions): { file: PlannedFile; entry: ContentIndex["datasources"][number] }[] {
  const datasources = reader.datasources() ?? [];
  const paths = contentPaths(
    datasources.map(({ id, slug }) => ({ key: String(id), segments: [slug], suffix: "" })),
    ".json",
  );
  return datasources.map((datasource) => {
    const rows = datasourceRows(datasource, (dimensionId) => reader.entries(datasource.id, dimensionId));
    const path = `datasources/${paths.get(String(datasource.id))}`;
    return {
      file: { path, render: () => jsonLines(rows.map((row) => JSON.stringify(row))) },
      entry: { slug: datasource.slug, name: datasource.name, file: path, entries: rows.length },
    };
  });
}
