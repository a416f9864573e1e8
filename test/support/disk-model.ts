import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileOperation } from "./file-system-hook.mjs";

/** The unsynced data that a disk loses in a power cut. */
export type Loss = "everything" | "contents" | "names" | { seed: number };

/** The bytes behind one name or several. */
interface Inode {
  bytes: Uint8Array;
  /** The bytes that survive a power cut. */
  durable: Uint8Array;
}

/** What a disk holds. */
export type DiskImage = [path: string, Uint8Array | "folder"][];

/** One change of a name, and the folders to sync to make it durable. */
interface NameChange {
  sets: [path: string, node: Inode | "folder"][];
  drops: string[];
  folders: string[];
  durable: boolean;
}

/**
 * A disk that only keeps synced data: the bytes of a file by a sync of the file, its name by a sync
 * of its folder. Fed with the changes of a real run, it shows what a power cut may leave. A rename
 * is atomic; all other names and bytes survive or are lost independently of each other and of their
 * order.
 */
export class DiskModel {
  readonly #root: string;
  readonly #base = new Map<string, Inode | "folder">();
  readonly #live = new Map<string, Inode | "folder">();
  readonly #changes: NameChange[] = [];
  readonly #inodes = new Set<Inode>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Marks everything in the folder as durable. */
  async load(): Promise<void> {
    const entries = await readdir(this.#root, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const node = entry.isDirectory() ? "folder" : this.#inode(await readFile(path));
      this.#base.set(path, node);
      this.#live.set(path, node);
    }
  }

  /** Notes a change that was made. */
  apply({ name, path, to, bytes }: FileOperation): void {
    const node = this.#live.get(path);
    if (name === "sync") {
      this.#sync(path);
    } else if (name === "write") {
      if (node !== undefined && node !== "folder") node.bytes = bytes ?? Buffer.alloc(0);
    } else if (name === "append") {
      if (node !== undefined && node !== "folder") node.bytes = Buffer.concat([node.bytes, bytes ?? Buffer.alloc(0)]);
    } else if (name === "create" || name === "mkdir") {
      this.#change([[path, name === "mkdir" ? "folder" : this.#inode(Buffer.alloc(0))]], []);
    } else if (name === "unlink" || name === "rmdir" || name === "rm") {
      this.#change([], [path]);
    } else if (to !== undefined && node !== undefined) {
      this.#change([[to, node]], name === "rename" ? [path] : []);
    }
  }

  /** A state that a power cut now may leave: path → bytes, every folder before what is in it. */
  afterPowerCut(loss: Loss): DiskImage {
    const random = typeof loss === "object" ? generator(loss.seed) : undefined;
    const names = new Map(this.#base);
    for (const change of this.#changes) {
      const kept = change.durable || loss === "contents" || (random !== undefined && random() < 0.5);
      if (!kept) continue;
      for (const path of change.drops) names.delete(path);
      for (const [path, node] of change.sets) names.set(path, node);
    }
    const bytes = new Map([...this.#inodes].map((inode) => [inode, remaining(inode, loss, random)]));
    return [...names]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .filter(([path]) => isReachable(path, this.#root, names))
      .map(([path, node]) => [path, node === "folder" ? node : (bytes.get(node) ?? node.durable)]);
  }

  #inode(bytes: Uint8Array): Inode {
    const inode = { bytes, durable: bytes };
    this.#inodes.add(inode);
    return inode;
  }

  #change(sets: NameChange["sets"], drops: string[]): void {
    const folders = [...sets.map(([path]) => dirname(path)), ...drops.map(dirname)];
    this.#changes.push({ sets, drops, folders, durable: false });
    for (const path of drops) this.#live.delete(path);
    for (const [path, node] of sets) this.#live.set(path, node);
  }

  #sync(path: string): void {
    const node = this.#live.get(path);
    if (node !== undefined && node !== "folder") {
      node.durable = node.bytes;
      return;
    }
    for (const change of this.#changes) if (change.folders.includes(path)) change.durable = true;
  }
}

/** Brings a folder into a state. */
export async function writeImage(root: string, image: DiskImage): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  for (const [path, content] of image) await (content === "folder" ? mkdir(path) : writeFile(path, content));
}

/** Equal for equal states. */
export function imageHash(image: DiskImage): string {
  const hash = createHash("sha256");
  for (const [path, content] of image) hash.update(`${path}\0${content.length}\0`).update(content);
  return hash.digest("hex");
}

/** The rest of a file: all, nothing, half of it, or as many zeros. */
function remaining({ bytes, durable }: Inode, loss: Loss, random: (() => number) | undefined): Uint8Array {
  if (bytes === durable || loss === "names") return bytes;
  if (random === undefined) return durable;
  const half = bytes.subarray(0, bytes.length >> 1);
  return [bytes, durable, half, new Uint8Array(bytes.length)][Math.floor(random() * 4)] ?? durable;
}

/** A file is lost when the name of one of its folders is. */
function isReachable(path: string, root: string, names: ReadonlyMap<string, unknown>): boolean {
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
    if (names.get(folder) !== "folder") return false;
  }
  return true;
}

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
