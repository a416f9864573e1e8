import type { RowTest, RowTests } from "./filter.js";
import { rowsAtOnce } from "./shard-rows.js";
import type { Sliced } from "./slices.js";

export interface FilteredRows {
  readonly count: number;
  size(row: number): number;
}

/** Most rows tested between two yields: each may have many tests. */
const rowsBetweenYields = 64;
/** Most bytes read between two yields: each test may read a whole record. */
const bytesBetweenYields = 1 << 20;

/** Returns the rows that pass, in the given order. Tests them in memory order, which is faster. */
export function* filterRows(rows: Uint32Array, source: FilteredRows, tests: RowTests): Sliced<Uint32Array> {
  const passes = new Uint8Array(source.count);
  const areAll = rows.length === source.count;
  const testCount = tests.all.length + tests.any.length;
  let passed = 0;
  let unreadBytes = bytesBetweenYields;
  for (let at = 0; at < rows.length; at += 1) {
    const row = areAll ? at : rows[at]!;
    const bytes = testCount * source.size(row);
    if (bytes > bytesBetweenYields ? yield* passesInSteps(row, tests, source.size(row)) : passesAtOnce(row, tests)) {
      passes[row] = 1;
      passed += 1;
    }
    unreadBytes -= bytes;
    if (at % rowsBetweenYields === 0 || unreadBytes < 0) {
      unreadBytes = bytesBetweenYields;
      yield;
    }
  }
  const selected = new Uint32Array(passed);
  for (let at = 0, next = 0; next < passed; at += 1) {
    const row = rows[at]!;
    if (passes[row] === 1) selected[next++] = row;
    if (at % rowsAtOnce === 0) yield;
  }
  return selected;
}

function passesAtOnce(row: number, { all, any }: RowTests): boolean {
  return passesAll(row, all) && (any.length === 0 || any.some((group) => passesAll(row, group)));
}

function passesAll(row: number, tests: readonly RowTest[]): boolean {
  for (const test of tests) if (!test(row)) return false;
  return true;
}

/** The same for one large record whose tests take long. */
function* passesInSteps(row: number, { all, any }: RowTests, bytes: number): Sliced<boolean> {
  if (!(yield* passesAllInSteps(row, all, bytes))) return false;
  for (const group of any) if (yield* passesAllInSteps(row, group, bytes)) return true;
  return any.length === 0;
}

function* passesAllInSteps(row: number, tests: readonly RowTest[], bytes: number): Sliced<boolean> {
  const testsBetweenYields = Math.ceil(bytesBetweenYields / bytes);
  for (let at = 0; at < tests.length; at += 1) {
    if (at % testsBetweenYields === 0) yield;
    if (!tests[at]!(row)) return false;
  }
  return true;
}
