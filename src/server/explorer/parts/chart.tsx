import { grouped, plural } from "../../../lib/quantity-text.js";
import type { RunRecord } from "../../../snapshot/state.js";
import { shortDate } from "./page.js";

const [width, height] = [600, 90];

interface ChartProperties {
  title: string;
  runs: readonly RunRecord[];
  of(run: RunRecord): number;
  unit(value: number): string;
  text?(value: number): string;
}

/**
 * A bar per run, oldest first, with a text alternative. The page's table has every value. Nothing if
 * all look the same: equal bars say nothing.
 */
export function RunChart({ title, runs, of, unit, text = unit }: ChartProperties) {
  const bars = runs.map((run) => {
    const value = of(run);
    return { value, text: `${shortDate(run.startedAt)}: ${text(value)}` };
  });
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const least = Math.min(...bars.map(({ value }) => value));
  if (most - least <= most / 50) return null;
  const each = width / Math.max(1, bars.length);
  const last = bars.at(-1);
  const summary = `${bars.length} values from ${unit(least)} to ${unit(most)}; the last one is ${unit(last?.value ?? 0)}.`;
  return (
    <figure class="chart">
      <figcaption>
        {title} <span class="quiet">up to {unit(most)}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}: ${summary}`} preserveAspectRatio="none">
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} class="axis" />
        {bars.map(({ value, text }, place) => {
          const tall = most === 0 ? 0 : Math.max(value > 0 ? 2 : 0, (value / most) * (height - 4));
          return (
            <rect
              x={(place * each + each * 0.1).toFixed(2)}
              y={(height - 1 - tall).toFixed(2)}
              width={Math.min(28, each * 0.8).toFixed(2)}
              height={tall.toFixed(2)}
            >
              <title>{text}</title>
            </rect>
          );
        })}
      </svg>
      <p class="ends">
        {[runs[0], runs.at(-1)].map((run) => (
          <time datetime={run?.startedAt}>{shortDate(run?.startedAt)}</time>
        ))}
      </p>
    </figure>
  );
}

export function RequestChart({ runs }: { runs: readonly RunRecord[] }) {
  const text = (count: number) => plural(count, "request");
  return <RunChart title="Requests" runs={runs} of={({ requests }) => requests} unit={grouped} text={text} />;
}
