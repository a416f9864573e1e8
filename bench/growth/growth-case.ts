/** A path that content or a request can reach, and how its cost is to be seen growing. */
export interface GrowthCase {
  /** `render: many marks on one text` */
  name: string;
  /** The smallest size; it is measured at 4 and 16 times that too. What it counts is up to the case. */
  size: number;
  /** Makes the input of a size, and returns the work to be measured. */
  prepare(size: number): Work | Promise<Work>;
}

/** Returns anything: what it returns is kept until the memory was measured. */
export type Work = () => unknown;
