import type { Reader } from "../../snapshot/reader/reader.js";
import type { RenderTask } from "./render-order.js";
import type { PlannedFile } from "./rendering.js";

/**
 * A task ends when it has this many stories, or bytes of them; a file is never divided. Pages of stories that it has already
 * are added to it, up to so many bytes of these stories: a thread resolves them once for both files.
 */
const task = { stories: 64, bytes: 1 << 19, pageBytes: 1 << 20 };

/** A task with the files that it is made of. */
export interface PlannedTask {
  order: RenderTask;
  files: PlannedFile[];
}

/** Puts files that show stories into tasks, in their order. */
export function plannedTasks(files: readonly PlannedFile[], reader: Reader): PlannedTask[] {
  const tasks: PlannedTask[] = [];
  let room = { stories: 0, bytes: 0, pageBytes: 0 };
  let shown = new Set<string>();
  let last: { order: { edition: string; files: RenderTask["files"][number][] }; files: PlannedFile[] } | undefined;
  for (const file of files) {
    const { edition, uuids } = file.stories!;
    const bytes = uuids.reduce((sum, uuid) => sum + (reader.storyBytes(edition, uuid)?.length ?? 0), 0);
    const isShown = last?.order.edition === edition && uuids.every((uuid) => shown.has(uuid)) && room.pageBytes > 0;
    const isFull = last?.order.edition !== edition || room.stories <= 0 || room.bytes <= 0;
    if (last === undefined || (isFull && !isShown)) {
      last = { order: { edition, files: [] }, files: [] };
      tasks.push(last);
      room = { ...task };
      shown = new Set();
    }
    const lines = file.lines && { basis: file.lines.basis, weight: file.lines.weight };
    last.order.files.push({ path: file.path, uuids, lines });
    last.files.push(file);
    if (isShown) room.pageBytes -= bytes;
    else {
      room.stories -= uuids.length;
      room.bytes -= bytes;
      for (const uuid of uuids) shown.add(uuid);
    }
  }
  return tasks;
}
