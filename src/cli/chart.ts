const bars = "▁▂▃▄▅▆▇█";

/** One character a value, from an empty line to a full one; 0 is the lowest bar, the largest value the highest. */
export function chart(values: readonly number[]): string {
  const most = Math.max(0, ...values);
  return values
    .map((value) => bars[most === 0 ? 0 : Math.min(bars.length - 1, Math.ceil((value / most) * (bars.length - 1)))])
    .join("");
}
