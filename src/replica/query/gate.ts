/** Runs work; what comes while too much is running waits in line. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** @param most Number of works that run at the same time. */
export function createGate(most: number): Gate {
  const line: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((enter) => line.push(enter));
    else running += 1;
    try {
      return await work();
    } finally {
      // The next in line takes over the place, so that the number of running works stays the same.
      const enter = line.shift();
      if (enter === undefined) running -= 1;
      else enter();
    }
  };
}
