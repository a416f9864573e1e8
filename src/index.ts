import "./refuse-old-node.js";

export type { Config } from "./config/config.js";
export type { Fleet, SpaceConfig } from "./config/fleet.js";
export { loadConfig } from "./config/load-config.js";
export { loadSpaces } from "./config/load-spaces.js";
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
export type { Pacing } from "./crawl/pin.js";
export type { OnProgress, Progress } from "./crawl/progress.js";
export { type ErrorCode, errorCodes, isOffprintError, OffprintError, type Problem } from "./errors.js";
export type { ContentChanges } from "./export/content-changes.js";
export type { ExportReport } from "./export/export-content.js";
export { type ExportGenerationOptions, exportGeneration } from "./export/export-generation.js";
export { openReader } from "./reader/open-reader.js";
export type { Reader } from "./reader/reader.js";
export type { FrontMatterRules } from "./render/front-matter-rules.js";
export type { BlockRenderer, RenderContext } from "./render/render-context.js";
export {
  type ElementProps,
  type RichTextComponent,
  type RichTextComponents,
  renderRichText,
} from "./render/render-rich-text.js";
export { richTextToHtml, richTextToMarkdown } from "./render/rich-text.js";
export type { StoryFacts } from "./render/story-facts.js";
export type { TargetProfile } from "./render/target-profile.js";
export { targets } from "./render/targets.js";
export { createReplica, type Replica } from "./replica/http/fetch-replica.js";
export type { ReplicaOptions } from "./replica/http/handler.js";
export { type RunningReplica, startReplica } from "./replica/http/server.js";
export { followSnapshot } from "./site-reader/follow-snapshot.js";
export { openSnapshot, pinGeneration } from "./site-reader/open-snapshot.js";
export { type PageSelection, readPages, type SitePage, type SnapshotPlace } from "./site-reader/read-pages.js";
export type * from "./site-reader/snapshot.js";
export { type SnapshotWatch, type WatchSnapshotOptions, watchSnapshot } from "./site-reader/watch-snapshot.js";
export type { StoryChange, StoryChanges } from "./snapshot/compare-stories.js";
export { currentManifest } from "./snapshot/current-manifest.js";
export type { EditionEntry, Level, Manifest } from "./snapshot/manifest.js";
export { type Output, openOutput } from "./snapshot/open-output.js";
export type { Lock } from "./store/lock.js";
export type { ObjectWriter, Store, StoredBytes, StoreEntry } from "./store/store.js";
export type { SyncReport } from "./sync/report.js";
export { type Admit, type RunSpacesOptions, runSpaces, type SpaceOutcome } from "./sync/run-spaces.js";
export type { Committed, SyncOptions } from "./sync/sync-options.js";
export { sync } from "./sync.js";

/**
 * What the declarations name of the platform. Empty, they merge with the real ones of `lib.dom` or `@types/node`, and stand
 * in for them where a project has neither.
 */
declare global {
  interface AbortSignal {}
  interface AsyncDisposable {}
  interface Request {}
  interface Response {}
  interface URL {}
}
