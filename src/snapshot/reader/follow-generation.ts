import { currentManifest } from "../current-manifest.js";
import type { Manifest } from "../manifest.js";
import type { Store } from "../store/store.js";
import { openReader } from "./open-reader.js";
import type { Reader } from "./reader.js";

/** The current generation of a snapshot, which a newer one replaces. */
export interface FollowedGeneration {
  /** The newest generation that was loaded. */
  reader(): Reader;
  /** Looks for a newer generation now. @returns whether another one was loaded; false as well when that failed. */
  check(): Promise<boolean>;
  /** Stops looking. */
  close(): void;
}

export interface FollowOptions {
  /**
   * How often the pointer is read, in milliseconds; default 1000. 0: only when {@link FollowedGeneration.check} is
   * called.
   */
  intervalMs?: number;
  /** Called with every generation that was loaded after the first. */
  onChange?: (reader: Reader) => void;
  /**
   * Called with the reason why a newer generation could not be loaded. The older one stays, and loading is tried
   * again.
   */
  onProblem?: (error: unknown) => void;
  /** Tells the current generation; default: {@link currentManifest} of the store. */
  current?: () => Promise<Manifest | undefined>;
}

/**
 * Loads the current generation and follows the pointer: a newer one replaces it as a whole, when all of it is loaded.
 * Shards that both have in common are not read again.
 *
 * @returns undefined when there is no snapshot.
 * @throws OffprintError `SNAPSHOT_DAMAGED`, `SNAPSHOT_FORMAT` for the first generation.
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
      // The same problem comes back at every interval: it is reported once.
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
