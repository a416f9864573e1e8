import { readFileSync } from "node:fs";
import { getHeapStatistics } from "node:v8";
import { sizeText } from "../../config/schema/quantity.js";
import type { exportMemory } from "../../content/tree/export-memory.js";
import { nodeProblem } from "../../lib/node-version.js";
import { usableMemory } from "../../lib/usable-memory.js";
import { type Finding, finding } from "./diagnosis-finding.js";

/** The process and machine. Sizes in bytes. */
export interface NodeFacts {
  version: string;
  heapLimit: number;
  /** Memory of the machine, or the container's limit. Undefined if unknown. */
  memory: number | undefined;
  openFiles: number | undefined;
}

export function gatherNode(): NodeFacts {
  return {
    version: process.versions.node,
    heapLimit: getHeapStatistics().heap_size_limit,
    memory: usableMemory(),
    openFiles: openFilesLimit(),
  };
}

const MB = 1024 * 1024;
/** Needed to sync a large space (docs/performance.md: 50,000 stories take 330 MB). */
const littleHeap = 256 * MB;
const fewFiles = 64;

export function checkNode({ version, heapLimit, memory, openFiles }: NodeFacts): Finding[] {
  return [...checkVersion(version), ...checkMemory(heapLimit, memory), ...checkOpenFiles(openFiles)];
}

function checkVersion(version: string): Finding[] {
  const problem = nodeProblem(version);
  if (problem !== undefined) return [finding("NODE_TOO_OLD", problem.message, problem.hint)];
  const major = Number.parseInt(version, 10);
  if (major % 2 === 0) return [finding("NODE_OK", `Node ${version}.`)];
  const hint = `Use Node ${major - 1} or ${major + 1}, which gets fixes for years.`;
  return [finding("NODE_SHORT_LIVED", `Node ${version} is of a line that gets fixes for months only.`, hint)];
}

function checkMemory(heapLimit: number, memory: number | undefined): Finding[] {
  const heap = mebibytes(heapLimit);
  if (heapLimit < littleHeap) {
    const hint = "Raise --max-old-space-size in NODE_OPTIONS, or give the container more memory.";
    return [finding("NODE_MEMORY", `Node may use ${heap} only; a large space needs more.`, hint)];
  }
  if (memory === undefined || heapLimit <= memory) return [];
  const what = `Node may use ${heap}, and there are ${mebibytes(memory)}: it would be killed before it collects garbage.`;
  const fitting = Math.floor((memory * 0.75) / MB);
  return [finding("NODE_MEMORY", what, `Set NODE_OPTIONS=--max-old-space-size=${fitting}.`)];
}

function checkOpenFiles(openFiles: number | undefined): Finding[] {
  if (openFiles === undefined || openFiles >= fewFiles) return [];
  return [finding("NODE_OPEN_FILES", `This process may open ${openFiles} files.`, "Raise the limit: ulimit -n 1024.")];
}

/** Warns of a memory in which an export of every file may be killed. @param memory in bytes, of this process */
export function checkExportMemory({ bytes, stories }: ReturnType<typeof exportMemory>, memory: number): Finding[] {
  if (bytes <= memory) return [];
  const what = `This process may use ${mebibytes(memory)}. An export of all ${stories} stories may take ${mebibytes(bytes)}.`;
  return [finding("NODE_MEMORY", what, "Give the machine or container more memory (docs/scale.md).")];
}

function mebibytes(bytes: number): string {
  return sizeText(Math.max(1, Math.round(bytes / MB)) * MB);
}

function openFilesLimit(): number | undefined {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
