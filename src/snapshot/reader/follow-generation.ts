import { currentManifest } from "../current-manifest.js";
import type { Manifest } from "../manifest.js";
import type { Store } from "../store/store.js";
import { openReader } from "./open-reader.js";
import type { Reader } from "./reader.js";

/** The current generation, replaced when a newer one appears. */
export interface FollowedGeneration {
  reader(): Reader;
  /** Looks for a newer generation now. @returns whether it loaded one; also false on failure. */
  check(): Promise<boolean>;
  close(): void;
}

export interface FollowOptions {
  /** How often to read the pointer, in milliseconds; default 1000. 0: only on `check()`. */
  intervalMs?: number;
  onChange?: (reader: Reader) => void;
  /** Called if a newer generation cannot be loaded. The old one stays; loading is retried. */
  onProblem?: (error: unknown) => void;
  /** Returns the current generation; default: {@link currentManifest} of the store. */
  current?: () => Promise<Manifest | undefined>;
}

/**
 * Loads the current generation, and replaces it once a newer one is fully loaded; does not read
 * shared shards again.
 * @throws OffprintError `SNAPSHOT_DAMAGED`, `SNAPSHOT_FORMAT` for the first one
 */
export async function followGeneration(
  store: Store,
  options: FollowOptions = {},
): Promise<FollowedGeneration | undefined> {
  const { intervalMs = 1000, onChange, onProblem, current = () => currentManifest(store) } = options;
  const manifest = await current();
  if (manifest === undefined) return undefined;
  let reader = await openReader(store, manifest);
  let checking: Promise<boolean> | undefined;
  let problem = "";

  const load = async (): Promise<boolean> => {
    try {
      const newest = await current();
      if (newest === undefined || newest.checksum === reader.manifest.checksum) return false;
      reader = await openReader(store, newest, reader);
      problem = "";
      onChange?.(reader);
      return true;
    } catch (error) {
      // The same problem recurs at every interval: report it once.
      const message = error instanceof Error ? error.message : String(error);
      if (message !== problem) onProblem?.(error);
      problem = message;
      return false;
    }
  };
  const check = (): Promise<boolean> => {
    checking ??= load().finally(() => {
      checking = undefined;
    });
    return checking;
  };
  const timer = intervalMs === 0 ? undefined : setInterval(() => void check(), intervalMs).unref();
  return { reader: () => reader, check, close: () => clearInterval(timer) };
}
