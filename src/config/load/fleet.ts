import type { Config } from "../config.js";

/** The spaces of a configuration. */
export interface Fleet {
  /** The selected ones, in the order of the file. At least one. */
  spaces: SpaceConfig[];
  /** Spaces that are read, rendered or verified at once, at most. */
  concurrency: number;
  /** Whether the file is one of several spaces, however many it has and were selected. */
  isFleet: boolean;
  /** How several machines share the spaces; undefined: the file does not say. */
  worker?: WorkerSetting | undefined;
}

/** How several machines share the spaces of a configuration. */
export interface WorkerSetting {
  /** Address of the Redis or PostgreSQL that keeps the jobs, with its password; undefined: its variable is not set. */
  queue?: string;
  /** What the keys in Redis begin with, or the schema in PostgreSQL. */
  name: string;
  /** Spaces that one worker syncs at once. */
  concurrency: number;
  /** Within which time the space of a worker that was killed goes to another one. */
  takeOverMs: number;
}

/** A space, and how it is configured. */
export interface SpaceConfig {
  /**
   * Unique in the fleet, whatever its capitals: letters, digits, `-`, `_` and `.`. A space with a file of its own has the
   * file's name without its end; the space of `sync.config.yaml` that of the folder.
   */
  name: string;
  config: Config;
  /** Absolute path of the file that configures it. */
  file: string;
}
