/** Limits how many tasks run at a time; others wait in line. */
export interface Gate {
  /** Runs a task as soon as a place is free. */
  <T>(task: () => Promise<T>): Promise<T>;
  /** Takes a place as soon as one is free. Call the returned function once to free it. */
  enter(): Promise<() => void>;
}

export function createGate(atOnce: number): Gate {
  const line: (() => void)[] = [];
  let taken = 0;
  const place = (): Promise<void> | undefined => {
    if (taken >= atOnce) return new Promise<void>((enter) => line.push(enter));
    taken += 1;
    return undefined;
  };
  const leave = (): void => {
    // The next in line takes over the place, so the count stays the same.
    const enter = line.shift();
    if (enter === undefined) taken -= 1;
    else enter();
  };
  const through = async <T>(task: () => Promise<T>): Promise<T> => {
    const waiting = place();
    if (waiting !== undefined) await waiting;
    try {
      return await task();
    } finally {
      leave();
    }
  };
  const enter = async (): Promise<() => void> => {
    await place();
    return leave;
  };
  return Object.assign(through, { enter });
}
