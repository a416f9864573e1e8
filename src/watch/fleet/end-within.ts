/** Waits for something to end, and no longer than this: a server that is gone does not keep a worker from ending. */
export async function endWithin(ms: number, ended: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([ended.catch(() => undefined), late]);
  clearTimeout(timer);
}
