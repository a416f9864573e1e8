import { totalmem } from "node:os";

/** Bytes of memory that this process may use: those of the machine, or the container's limit. */
export function usableMemory(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  const machine = totalmem();
  return limit > 0 && limit < machine ? limit : machine;
}
