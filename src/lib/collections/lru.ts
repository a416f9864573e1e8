/** A map with a weight limit that evicts the least recently used entries. */
export class Lru<K, V> {
  /** Least recently used first. */
  readonly #entries = new Map<K, V>();
  readonly #maxWeight: number;
  readonly #weigh: (value: V, key: K) => number;
  #weight = 0;

  /** @param weigh default 1: `maxWeight` counts entries */
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

  /** Sets a value, unless it alone exceeds the limit. */
  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.#weigh(value, key);
    if (weight > this.#maxWeight) return;
    this.#entries.set(key, value);
    this.#weight += weight;
    while (this.#weight > this.#maxWeight) this.delete(this.#entries.keys().next().value!);
  }

  /** Whether the value fits without evicting another one. */
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
