/** Runs a task; tasks that come while too many are running wait in line. */
export type Gate = <T>(task: () => Promise<T>) => Promise<T>;

/** @param atOnce Number of tasks that run at the same time. */
export function createGate(atOnce: number): Gate {
  const line: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= atOnce) await new Promise<void>((enter) => line.push(enter));
    else running += 1;
    try {
      return await task();
    } finally {
      // The next in line takes over the place, so that the number of running tasks stays the same.
      const enter = line.shift();
      if (enter === undefined) running -= 1;
      else enter();
    }
  };
}
