/**
 * Waits for work, and no longer than a time in milliseconds. What the work comes to later is nobody's.
 *
 * @returns what it gives; undefined where the time was over first
 * @throws what the work throws in that time
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
