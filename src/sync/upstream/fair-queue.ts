type Run = () => Promise<unknown>;
interface Options {
  id?: string;
  priority?: number;
}

interface Waiting {
  run: Run;
  id: string | undefined;
  priority: number;
}

/** After so many requests of higher priority, the one that has waited longest is next. */
const passesAtMost = 8;

/** The order of a p-queue: highest priority first, equal ones in order; nothing starves. */
export class FairQueue {
  readonly #waiting: Waiting[] = [];
  #passed = 0;

  get size(): number {
    return this.#waiting.length;
  }

  enqueue(run: Run, { id, priority = 0 }: Options = {}): void {
    this.#waiting.push({ run, id, priority });
  }

  dequeue(): Run | undefined {
    let at = 0;
    for (const [index, { priority }] of this.#waiting.entries()) {
      if (priority > this.#waiting[at]!.priority) at = index;
    }
    // The first in the list has waited longest.
    if (at > 0 && this.#passed >= passesAtMost) at = 0;
    this.#passed = at > 0 ? this.#passed + 1 : 0;
    return this.#waiting.splice(at, 1)[0]?.run;
  }

  filter({ priority = 0 }: Readonly<Options>): Run[] {
    return this.#waiting.filter((waiting) => waiting.priority === priority).map(({ run }) => run);
  }

  setPriority(id: string, priority: number): void {
    const waiting = this.#waiting.find((candidate) => candidate.id === id);
    if (waiting !== undefined) waiting.priority = priority;
  }

  remove(which: string | Run): void {
    const at = this.#waiting.findIndex(({ id, run }) => (typeof which === "string" ? id === which : run === which));
    if (at >= 0) this.#waiting.splice(at, 1);
  }
}
