import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import type Tinypool from "tinypool";
import type { Config, ContentTarget } from "../../config/config.js";
import type { IndexedReader } from "../../snapshot/reader/open-reader.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { FieldUses } from "../model/field-use.js";
import { ofAllLines } from "./record-part.js";
import {
  type AnsweredFile,
  type PlannedTask,
  plannedTasks,
  type RenderOrder,
  sharedShards,
  type TaskAnswer,
} from "./render-tasks.js";
import type { FileList, PlannedFile, RenderedFile } from "./rendering.js";

/** Fewer stories are rendered by this thread before another one has loaded what it needs. */
const fewestStories = 1_000;
/** One process renders with this many threads at most: each has an index of the stories and takes 50 to 90 MB more. */
const mostThreads = 3;
/** How many tasks each thread has before it: the next one is there when one ends. */
const tasksEach = 2;

/**
 * Without a limit a thread lets garbage lie that a process of few hundred megabytes has no room for. Where one task needs
 * more, the thread ends, and its files are rendered here.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 192 };

/** Takes the rendered form of the file at a place, each once and in their order; undefined: it is not among them. */
export type TakeRendered = (place: number) => Promise<RenderedFile> | undefined;

/** Threads that render stories for the thread that writes their files. */
export interface RenderThreads {
  /** Starts the threads where these stories are enough work, so that they are ready when the files are planned. */
  prepare(stories: number): void;
  /**
   * Spreads those of the files at these places that show stories, where they are enough work. Undefined: this thread renders them.
   * A file that the threads fail at is rendered here. At most some tasks of half a megabyte of records are under way.
   */
  spread(files: FileList, places: Uint32Array): TakeRendered | undefined;
  /** Ends the threads. */
  close(): Promise<void>;
}

export interface RenderThreadsOptions {
  reader: Reader & Partial<Pick<IndexedReader, "storyIndexes">>;
  /** Absolute path of its output folder, from which threads read on demand; default: they share what it has loaded. */
  folder?: string | undefined;
  config: Config;
  target: ContentTarget;
  uses: FieldUses;
  /** Renders a file in this thread. */
  render(file: PlannedFile): RenderedFile;
}

/** True if an export of this process has threads. */
let areTaken = false;

/**
 * Threads for one export, started once there is work. Only one export of a process has threads at a time, for lack
 * of cores. Other exports render the same files in their own thread, more slowly.
 */
export function openRenderThreads(options: RenderThreadsOptions): RenderThreads {
  let pool: Promise<Tinypool> | undefined;
  let hasFailed = false;
  let isClosed = false;
  // One core is for writing what they render: with a thread for it, too, two cores are no faster, and do more.
  const count = Math.min(availableParallelism() - 1, mostThreads);
  const isWorthIt = (stories: number): boolean => {
    if (pool !== undefined) return true;
    return stories >= fewestStories && count > 0 && !areTaken && threadFile() !== undefined;
  };

  const start = (): Promise<Tinypool> => {
    if (pool !== undefined) return pool;
    // Two exports may have found them free before either of them had work.
    if (areTaken) throw new Error("another export of this process has the threads");
    areTaken = true;
    pool = openPool(options, count);
    return pool;
  };
  const close = async (): Promise<void> => {
    if (pool === undefined) return;
    const open = pool;
    pool = undefined;
    await open.then(endThreads).catch(() => undefined);
    areTaken = false;
  };
  const run = async ({ order, files }: PlannedTask): Promise<RenderedFile[]> => {
    if (!hasFailed) {
      try {
        const threads = await start();
        return renderedFiles(await threads.run(order));
      } catch (error) {
        if (isClosed) throw error;
        // The other tasks would wait for a thread that is gone.
        hasFailed = true;
        await close();
      }
    }
    return files.map((file) => options.render(file));
  };

  return {
    prepare(stories) {
      if (isWorthIt(stories)) start().catch(() => undefined);
    },
    spread(files, places) {
      const stories = places.reduce((sum, place) => sum + (files.at(place)!.stories?.uuids.length ?? 0), 0);
      if (!isWorthIt(stories)) return undefined;
      return inOrder(plannedTasks(files, places, options.reader), run, count * tasksEach);
    },
    async close() {
      isClosed = true;
      await close();
    },
  };
}

/** The file that a thread loads, next to this one once compiled; missing in sources and in others' bundles. */
function threadFile(): string | undefined {
  const { href, protocol } = new URL("./render-thread.js", import.meta.url);
  return protocol === "file:" && existsSync(fileURLToPath(href)) ? href : undefined;
}

async function openPool(options: RenderThreadsOptions, count: number): Promise<Tinypool> {
  const { Tinypool } = await import("tinypool");
  const { reader, folder, config, target, uses } = options;
  const workerData: RenderOrder = {
    config,
    target,
    uses,
    manifest: reader.manifest,
    source: folder ?? sharedShards(reader),
    indexes: reader.storyIndexes?.() ?? new Map(),
  };
  const pool = new Tinypool({
    filename: threadFile()!,
    workerData,
    minThreads: count,
    maxThreads: count,
    concurrentTasksPerWorker: tasksEach,
    resourceLimits,
  });
  // A thread that cannot start; its task fails.
  pool.on("error", () => void endThreads(pool).catch(() => undefined));
  return pool;
}

/**
 * Ends the threads, also failing ones. Tinypool waits with Node's `once`, which removes a listener by a method that
 * tinypool's worker lacks: that error would end the process.
 */
function endThreads(pool: Tinypool): Promise<void> {
  for (const worker of pool.threads as { thread?: Worker }[]) {
    const { thread } = worker;
    if (thread !== undefined) Object.assign(worker, { removeListener: thread.removeListener.bind(thread) });
  }
  return pool.destroy();
}

/** Runs so many tasks ahead of the files that are taken. Answers come in the order of the tasks. */
function inOrder(
  tasks: Iterator<PlannedTask>,
  run: (task: PlannedTask) => Promise<RenderedFile[]>,
  ahead: number,
): TakeRendered {
  /** The files of tasks that have started, by place. */
  const running = new Map<number, { task: number; answer: Promise<RenderedFile> }>();
  let started = 0;
  let next = tasks.next();
  let before: Promise<unknown> = Promise.resolve();
  const start = (task: PlannedTask): void => {
    const answered = Promise.all([run(task), before]).then(([files]) => files);
    // If nobody takes the files any more, the error is dropped.
    before = answered.catch(() => undefined);
    for (const [at, place] of task.places.entries()) {
      const answer = answered.then((files) => files[at]!);
      answer.catch(() => undefined);
      running.set(place, { task: started, answer });
    }
    started += 1;
  };
  const startUpTo = (isEnough: () => boolean): void => {
    for (; !next.done && !isEnough(); next = tasks.next()) start(next.value);
  };
  return (place) => {
    startUpTo(() => running.has(place) || (next.value as PlannedTask).places[0]! > place);
    const found = running.get(place);
    running.delete(place);
    if (found === undefined) return undefined;
    startUpTo(() => started >= found.task + ahead);
    return found.answer;
  };
}

function renderedFiles({ bytes, files }: TaskAnswer): RenderedFile[] {
  const answers = JSON.parse(files) as AnsweredFile[];
  let at = 0;
  const next = (length: number | undefined): Uint8Array | undefined => {
    at += length ?? 0;
    return length === undefined ? undefined : bytes.subarray(at - length, at);
  };
  return answers.map(({ length, outlineLength, ...file }) => ({
    ...file,
    bytes: next(length),
    outline: next(outlineLength),
    ...(file.lines && ofAllLines(file.lines.notes)),
  }));
}
