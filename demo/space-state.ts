import type { DemoDatasource } from "./datasources.js";
import type { DemoFolder, DemoStory } from "./demo-story.js";
import type { timesOf } from "./story-times.js";

/** The demo space as its editors have left it, before records are made of it. An edit makes another one of it. */
export interface SpaceState {
  /** Seconds since the epoch; no timestamp of the space is later. */
  cv: number;
  /** By {@link DemoFolder.path}; a folder stands after its parent. */
  folders: ReadonlyMap<string, FolderState>;
  /** By {@link DemoStory.path}. */
  stories: ReadonlyMap<string, StoryState>;
  /** The variant stories of the experiment. */
  variants: readonly StoryState[];
  datasources: readonly DemoDatasource[];
}

/** A story, and its id, which no edit changes. */
export interface StoryState {
  story: DemoStory;
  id: number;
  times: ReturnType<typeof timesOf>;
}

/** A folder, and its id, which no edit changes. */
export interface FolderState {
  folder: DemoFolder;
  id: number;
  /** The last segment of its path after a rename; {@link DemoFolder.path} stays as it was. */
  slug?: string;
  /** When it was renamed, as an ISO 8601 time. */
  renamedAt?: string;
}
