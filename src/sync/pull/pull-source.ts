import { resolve } from "node:path";
import type { Config } from "../../config/config.js";
import { isStoreAddress } from "../../config/schema/store-address.js";
import { storeSettingOf } from "../../config/schema/store-schema.js";
import { costLimits } from "../../lib/cost-limits.js";
import { isOffprintError, OffprintError } from "../../lib/errors.js";
import { locateManifest } from "../../snapshot/current-manifest.js";
import { generationFile, manifestFile } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { manifestText, parseManifest } from "../../snapshot/manifest-text.js";
import type { Bucket } from "../../snapshot/store/bucket.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import { filesIn } from "../../snapshot/store/hashed-objects.js";
import type { ReadFiles } from "../../snapshot/store/store.js";

export interface SourceGeneration {
  manifest: Manifest;
  pointer: Uint8Array;
  /** The version of the pointer, to ask if it is unchanged; undefined: not supported. */
  tag: string | undefined;
}

/** A snapshot to pull from. Read only. */
export interface PullSource {
  /** Path of a folder, or `s3://bucket/prefix`: for messages. */
  readonly address: string;
  readonly store: Pick<ReadFiles, "get" | "read">;
  /** Number of requests so far; 0 for a folder. */
  requests(): number;
  /** `"same"` if the pointer still has the tag `known`. @throws `SNAPSHOT_MISSING`, `SNAPSHOT_DAMAGED` */
  current(known?: string): Promise<SourceGeneration | "same">;
  /** A generation's own manifest; undefined if the source has none, or another one. */
  generation(manifest: Pick<Manifest, "generation" | "checksum">): Promise<Uint8Array | undefined>;
}

export function folderSource(dir: string): PullSource {
  const store = withBoundedManifests(openFileStore(dir));
  return {
    address: dir,
    store,
    requests: () => 0,
    async current() {
      const located = await newestThatVerifies(store, dir);
      return { ...located, tag: undefined };
    },
    generation: (manifest) => manifestBytes(store, manifest),
  };
}

/** The most bytes of a manifest. Only the sizes of other files are known. */
const mostManifestBytes = costLimits.manifestBytes;

function withBoundedManifests(store: ReadFiles): ReadFiles {
  return {
    get: (name, mostBytes = mostManifestBytes) => store.get(name, mostBytes),
    read: (name) => store.read(name),
    names: (folder) => store.names(folder),
  };
}

/** A snapshot in a bucket. Reads the pointer by its tag; lists objects only if it is unreadable. */
export function bucketSource(bucket: Bucket): PullSource {
  let requests = 0;
  const counted: Pick<Bucket, "get" | "read" | "list"> = {
    get: (name, known, mostBytes = mostManifestBytes) => {
      requests += 1;
      return bucket.get(name, known, mostBytes);
    },
    read: (name, mostBytes) => {
      requests += 1;
      return bucket.read(name, mostBytes);
    },
    list: (beginning) => {
      requests += 1;
      return bucket.list(beginning);
    },
  };
  const store = filesIn(counted);
  return {
    address: bucket.address,
    store,
    requests: () => requests,
    async current(known) {
      const found = await counted.get(manifestFile, known);
      if (found === "same") return "same";
      const manifest = found && tryParse(found.bytes);
      if (found !== undefined && manifest !== undefined) return { manifest, pointer: found.bytes, tag: found.tag };
      return { ...(await newestThatVerifies(store, bucket.address)), tag: undefined };
    },
    generation: (manifest) => manifestBytes(store, manifest),
  };
}

function tryParse(bytes: Uint8Array): Manifest | undefined {
  try {
    return parseManifest(bytes, manifestFile);
  } catch (error) {
    if (error instanceof OffprintError && error.code === "SNAPSHOT_DAMAGED") return undefined;
    throw error;
  }
}

/** The newest generation that verifies, if the pointer is missing or lags behind. */
async function newestThatVerifies(store: ReadFiles, address: string): Promise<Omit<SourceGeneration, "tag">> {
  const { manifest, isPointed, damage } = await locateManifest(store);
  if (manifest === undefined) {
    if (damage !== undefined) throw damagedSource(address, damage);
    throw new OffprintError("SNAPSHOT_MISSING", `There is no snapshot in ${address}.`, {
      hint: "Check the address, or run `offprint sync` there first.",
    });
  }
  const pointer = isPointed ? await store.get(manifestFile) : undefined;
  const isThis = pointer !== undefined && tryParse(pointer)?.checksum === manifest.checksum;
  return { manifest, pointer: isThis ? pointer : Buffer.from(manifestText(manifest)) };
}

async function manifestBytes(
  store: ReadFiles,
  { generation, checksum }: Pick<Manifest, "generation" | "checksum">,
): Promise<Uint8Array | undefined> {
  const bytes = await store.get(generationFile(generation));
  return bytes !== undefined && tryParse(bytes)?.checksum === checksum ? bytes : undefined;
}

/** Copies what the source names; again what it names by then, if a file is gone. @param now `same`: nothing newer */
export async function copyNamed<T extends { manifest: Manifest }, R>(
  address: string,
  named: T,
  copy: (named: T) => Promise<R>,
  now: () => Promise<T | "same">,
): Promise<R> {
  let found = named;
  for (let attempt = 1; ; attempt++) {
    try {
      return await copy(found);
    } catch (error) {
      if (!mayBeGone(error)) throw error;
      const newer = await now();
      const { checksum, generation } = found.manifest;
      if (newer === "same" || newer.manifest.checksum === checksum) throw damagedSource(address, error);
      if (attempt === mostTries) throw overtakenSource(address, generation, error);
      found = newer;
    }
  }
}

/** A file may be gone with its generation: to a key that may not list, S3 refuses a missing object. */
function mayBeGone(error: unknown): error is OffprintError {
  return isOffprintError(error, "SNAPSHOT_DAMAGED") || isOffprintError(error, "STORE_REFUSED");
}

/** The error for a file of an existing generation: refused, or not the one in the manifest. */
function damagedSource(address: string, damage: OffprintError): OffprintError {
  if (damage.code === "STORE_REFUSED") return damage;
  return new OffprintError("SNAPSHOT_DAMAGED", `${address}: ${damage.message}`, {
    hint: "Nothing was changed here. On the machine that writes it, run `offprint verify`, then `offprint sync`. Then pull again.",
    cause: damage,
  });
}

/** How often the source may remove a generation during the copy before a pull gives up. */
const mostTries = 5;

function overtakenSource(address: string, generation: number, cause: OffprintError): OffprintError {
  const what = `Generation ${generation} of ${address} was removed while it was read, as were ${mostTries - 1} before it.`;
  return new OffprintError("SNAPSHOT_MISSING", what, {
    hint: "Raise output.keepGenerations on the machine that writes it, or pull again. Nothing was changed here.",
    cause,
  });
}

export interface OpenSourceOptions {
  config: Config;
  /** Base of a relative path. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** @param from `s3://bucket/prefix`, or another output folder @throws OffprintError `USAGE` without one */
export async function openSource(
  from: string | undefined,
  { config, cwd, env }: OpenSourceOptions,
): Promise<PullSource> {
  if (from === undefined) {
    throw new OffprintError("USAGE", "No source to pull from.", {
      hint: "Pass --from with an address such as s3://bucket/prefix or another output folder, or set output.store.",
    });
  }
  if (isStoreAddress(from)) {
    const { openBucket } = await import("../../snapshot/store/s3/open-bucket.js");
    return bucketSource(openBucket(storeSettingOf(from, {}, { cwd, env }).store, { env }));
  }
  const dir = resolve(cwd, from);
  if (dir === config.output.dir) {
    throw new OffprintError("USAGE", `${from} is the output folder itself.`, {
      hint: "Pass another folder with --from, or another output folder with --output.",
    });
  }
  return folderSource(dir);
}
