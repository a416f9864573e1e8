/**
 * A map with an upper bound: what was neither read nor written for the longest time is dropped first.
 *
 * @typeParam V a value; undefined stands for "not there" and cannot be kept
 */
export class Lru<K, V> {
  /** In the order of use, the oldest first. */
  readonly #entries = new Map<K, V>();
  readonly #maxWeight: number;
  readonly #weigh: (value: V, key: K) => number;
  #weight = 0;

  /**
   * @param maxWeight the weight of all values together, at most
   * @param weigh the weight of one value with its key; default: 1, so that `maxWeight` is their number
   */
  constructor(maxWeight: number, weigh: (value: V, key: K) => number = () => 1) {
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Keeps a value in place of the one that the key has; a value that is too heavy by itself is not kept. */
  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.#weigh(value, key);
    if (weight > this.#maxWeight) return;
    this.#entries.set(key, value);
    this.#weight += weight;
    while (this.#weight > this.#maxWeight) this.delete(this.#entries.keys().next().value!);
  }

  /** Whether a value would push none out. */
  hasRoomFor(key: K, value: V): boolean {
    return this.#weight + this.#weigh(value, key) <= this.#maxWeight;
  }

  /** @returns whether the key was there. */
  delete(key: K): boolean {
    const value = this.#entries.get(key);
    if (value === undefined) return false;
    this.#weight -= this.#weigh(value, key);
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
