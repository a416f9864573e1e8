import type { Config } from "../config/config.js";
import { OffprintError, type Problem } from "../errors.js";
import { linesText } from "../json/lines.js";
import { shortHash } from "../reader/noting-reader.js";
import type { NotedReader, Reader } from "../reader/reader.js";
import type { BlockRenderer } from "../render/render-context.js";
import { createStoryResolver } from "../render/resolve-story.js";
import type { ContentIndex } from "./content-index.js";
import { contentPaths, foldedName } from "./content-paths.js";
import { datasourceRows } from "./datasource-rows.js";
import { linkLines, linksBasis } from "./link-lines.js";
import { type EditionPlan, planEdition } from "./plan-edition.js";
import type { PlannedFile } from "./rendering.js";

export interface PlanOptions {
  /** Which files there are follows from it; what stands in them is read from `read` alone. */
  reader: Reader;
  read: NotedReader;
  config: Config;
  /** What stands in the content file at `path` for the asset with this URL; undefined leaves the URL. */
  assetUrl(url: string, path: string): string | undefined;
  /** Renderers of blocks inside rich text, by component. */
  blocks: ReadonlyMap<string, BlockRenderer>;
  /** Tells these renderers from others. */
  blocksVersion: string;
  /** Called around the rendering of each story of a file. */
  story<T>(edition: string, uuid: string, render: () => T): T;
  report(problem: Problem): void;
}

export interface ContentPlan {
  /** All files but those of history and `index.json`; no two have the same path. */
  files: PlannedFile[];
  editions: EditionPlan[];
  datasources: ContentIndex["datasources"];
}

export const changesFile = "changes.json";
export const redirectsFile = "redirects.json";
export const redirectRulesFile = "_redirects";
export const linksFile = "links.json";

/** Which files the content tree of a generation has. Nothing is rendered yet. */
export function planContent(options: PlanOptions): ContentPlan {
  const { reader, read, config } = options;
  const editions = reader.manifest.editions.map((edition) => {
    const resolver = createStoryResolver(read, edition, config, options.report);
    return planEdition(edition, resolver, options);
  });
  const datasources = planDatasources(options);
  const files = [
    ...editions.flatMap((edition) => edition.files),
    ...datasources.map(({ file }) => file),
    { path: linksFile, basis: linksBasis(editions), render: () => linesText(linkLines(read, editions)) },
  ];
  assertDistinct(files);
  return { files, editions, datasources: datasources.map(({ entry }) => entry) };
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

function planDatasources(options: PlanOptions): { file: PlannedFile; entry: ContentIndex["datasources"][number] }[] {
  const { reader, read } = options;
  const datasources = reader.datasources() ?? [];
  const paths = contentPaths(
    datasources.map(({ id, slug }) => ({ key: String(id), segments: [slug], suffix: "" })),
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
