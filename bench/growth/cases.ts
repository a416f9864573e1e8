import { exportingCases } from "./exporting-cases.js";
import type { GrowthCase } from "./growth-case.js";
import { parsingCases } from "./parsing-cases.js";
import { renderingCases } from "./rendering-cases.js";
import { resolvingCases } from "./resolving-cases.js";

/**
 * Every case, a row each. A new path is added to the list of its kind, where no test of cost holds it: those of rendering stand
 * in `test/content/render/cost.test.ts`, of filters in `test/server/replica/query-growth.test.ts`, of what a story embeds in
 * `test/content/tree/bounded-stories.test.ts`.
 */
export const growthCases: readonly GrowthCase[] = [
  ...parsingCases,
  ...resolvingCases,
  ...renderingCases,
  ...exportingCases,
];
