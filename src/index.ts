import "./lib/refuse-old-node.js";

export type { Config } from "./config/config.js";
export type { Fleet, SpaceConfig } from "./config/load/fleet.js";
export { loadConfig } from "./config/load/load-config.js";
export { loadSpaces } from "./config/load/load-spaces.js";
export type { FrontMatterRules } from "./content/render/front-matter.js";
export type { BlockRenderer, RenderContext } from "./content/render/render-context.js";
export {
  type ElementProps,
  type RichTextComponent,
  type RichTextComponents,
  renderRichText,
} from "./content/render/render-rich-text.js";
export { richTextToHtml, richTextToMarkdown } from "./content/render/rich-text.js";
export type { StoryFacts } from "./content/render/story-facts.js";
export type { TargetProfile } from "./content/render/target-profile.js";
export { targets } from "./content/render/targets.js";
export type { ContentChanges } from "./content/tree/content-changes.js";
export type { ExportReport } from "./content/tree/export-content.js";
export { type ExportGenerationOptions, exportGeneration } from "./content/tree/export-generation.js";
export type {
  Blok,
  DatasourceEntryRecord,
  DatasourceRecord,
  ExperimentRecord,
  LinkRecord,
  SpaceRecord,
  StoryRecord,
  TagRecord,
} from "./contract/records.js";
export { type ErrorCode, errorCodes, isOffprintError, OffprintError, type Problem } from "./lib/errors.js";
export { createReplica, type Replica, type ReplicaOptions } from "./server/replica/http/handler.js";
export { type RunningReplica, startReplica } from "./server/replica/http/server.js";
export { followSnapshot } from "./site/follow-snapshot.js";
export { buildInfo, openSnapshot, pinGeneration } from "./site/open-snapshot.js";
export { type PurgeOptions, type PurgeRequest, purgeRequests } from "./site/purge-requests.js";
export { type PageSelection, readPages, type SitePage, type SnapshotPlace } from "./site/read-pages.js";
export type * from "./site/snapshot.js";
export { type SnapshotWatch, type WatchSnapshotOptions, watchSnapshot } from "./site/watch-snapshot.js";
export type { StoryChange, StoryChanges } from "./snapshot/compare-stories.js";
export { currentManifest } from "./snapshot/current-manifest.js";
export type { EditionEntry, Level, Manifest } from "./snapshot/manifest.js";
export { openOutput } from "./snapshot/open-output.js";
export type { Output } from "./snapshot/output.js";
export { openReader } from "./snapshot/reader/open-reader.js";
export type { Reader } from "./snapshot/reader/reader.js";
export type { Lock } from "./snapshot/store/lock.js";
export type { ObjectWriter, Store, StoredBytes, StoreEntry } from "./snapshot/store/store.js";
export type { Pacing } from "./sync/crawl/run/pin.js";
export type { OnProgress, Progress } from "./sync/crawl/run/progress.js";
export type { SyncReport } from "./sync/report.js";
export { type Admit, type RunSpacesOptions, runSpaces, type SpaceOutcome } from "./sync/run-spaces.js";
export { sync } from "./sync/sync.js";
export type { Committed, SyncOptions } from "./sync/sync-options.js";

/**
 * Platform types that the declarations use. These empty ones merge with `lib.dom` or `@types/node`,
 * and replace them in a project that has neither.
 */
declare global {
  interface AbortSignal {}
  interface AsyncDisposable {}
  interface Request {}
  interface Response {}
  interface URL {}
}
