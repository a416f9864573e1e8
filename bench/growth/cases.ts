import { exportingCases } from "./exporting-cases.js";
import { filteringCases } from "./filtering-cases.js";
import type { GrowthCase } from "./growth-case.js";
import { parsingCases } from "./parsing-cases.js";
import { renderingCases } from "./rendering-cases.js";
import { resolvingCases } from "./resolving-cases.js";

/** Every case, a row each. A new path is added to the list of its kind. */
export const growthCases: readonly GrowthCase[] = [
  ...parsingCases,
  ...resolvingCases,
  ...renderingCases,
  ...exportingCases,
  ...filteringCases,
];
