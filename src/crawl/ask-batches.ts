/**
 * Asks for all batches, so many at a time. After the first failure no other is begun: a batch that is left out would look
 * like stories that are as they were.
 * @throws the first failure, once everything that was under way has ended
 */
export async function askBatches<B>(
  batches: readonly B[],
  concurrency: number,
  ask: (batch: B) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = [...batches];
  const worker = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch !== undefined && failures.length === 0; batch = waiting.shift()) {
      try {
        await ask(batch);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failures.length > 0) throw failures[0];
}
