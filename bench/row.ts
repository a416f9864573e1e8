/** One line of the table. */
export interface BenchRow {
  /** What was measured, at which size. */
  name: string;
  unit: "ms" | "s" | "runs" | "MB" | "KB/story" | "µs/story" | "requests" | "files" | "req/s" | "exponent";
  /** Median of ours. */
  value: number;
  /** Median of the floor, measured in the same run; null where there is none. */
  floor: number | null;
  /** value / floor; null without a floor. */
  ratio: number | null;
  /** What is promised, and whether this run kept it; null for a figure that is only told. */
  aim: Aim | null;
  /** Shown behind the row. */
  note?: string;
}

export interface Aim {
  text: string;
  met: boolean;
}

export interface BenchOptions {
  /** For CI: small spaces and few repetitions. The aims are those of the long form. */
  short: boolean;
}

/** One subject of the bench. */
export type Bench = (options: BenchOptions) => Promise<BenchRow[]>;

/** A row whose aim is a ratio to the floor; without `atMost` the ratio is only told. */
export function ratioRow(
  name: string,
  unit: BenchRow["unit"],
  measured: { value: number; floor: number },
  atMost?: number,
  note?: string,
): BenchRow {
  if (measured.floor <= 0 || measured.value <= 0)
    throw new Error(`${name} could not be measured: ${JSON.stringify(measured)}`);
  const ratio = measured.value / measured.floor;
  const aim = atMost === undefined ? null : { text: `≤ ${atMost} ×`, met: ratio <= atMost };
  return { name, unit, ...measured, ratio, aim, ...(note === undefined ? {} : { note }) };
}

/** A row whose aim is the floor itself, to the unit. */
export function exactRow(name: string, unit: BenchRow["unit"], value: number, expected: number): BenchRow {
  return {
    name,
    unit,
    value,
    floor: expected,
    ratio: expected === 0 ? null : value / expected,
    aim: { text: "exactly", met: value === expected },
  };
}

/** The rows as a Markdown table, which is also readable on a terminal. */
export function tableOf(rows: readonly BenchRow[]): string {
  const cells = [["case", "measured", "floor", "ratio", "aim", ""], ...rows.map(rowCells)];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = cells.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`);
  return [lines[0], `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...lines.slice(1)].join("\n");
}

function rowCells({ name, unit, value, floor, ratio, aim, note }: BenchRow): string[] {
  return [
    name,
    `${figure(value)} ${unit}`,
    floor === null ? "–" : `${figure(floor)} ${unit}`,
    ratio === null ? "–" : `${ratio.toFixed(2)} ×`,
    aim === null ? "–" : aim.text,
    [aim === null ? "" : aim.met ? "met" : "MISSED", note ?? ""].filter(Boolean).join("; "),
  ];
}

function figure(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
