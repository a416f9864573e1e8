/** Lets so much work run at the same time; what comes later waits in line. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** @param most How much work may run at the same time. */
export function createGate(most: number): Gate {
  const line: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((enter) => line.push(enter));
    else running += 1;
    try {
      return await work();
    } finally {
      // Whoever is next takes over the place.
      const enter = line.shift();
      if (enter === undefined) running -= 1;
      else enter();
    }
  };
}
