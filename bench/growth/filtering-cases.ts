import type { GrowthCase } from "./growth-case.js";

/** Filtering, sorting and searching, as a query of the replica asks for them. */
export const filteringCases: readonly GrowthCase[] = [];
