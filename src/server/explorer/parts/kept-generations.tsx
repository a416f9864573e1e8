import { grouped } from "../../../lib/quantity-text.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import type { RunRecord } from "../../../snapshot/state.js";
import { Table } from "./lists.js";
import { address } from "./page.js";
import { shortDate } from "./shown-text.js";

export interface KeptGeneration extends Pick<Manifest, "generation" | "committedAt"> {
  /** What its sync changed; null where the log has forgotten that run. */
  stories: NonNullable<RunRecord["stories"]> | null;
}

interface KeptProperties {
  /** Newest first. */
  kept: readonly KeptGeneration[];
  current: number;
}

const shown = 10;

/** The kept generations with date and changes; the older ones are folded. */
export function KeptGenerations({ kept, current }: KeptProperties) {
  const rest = kept.slice(shown);
  return (
    <>
      <Rows kept={kept.slice(0, shown)} current={current} />
      {rest.length === 0 ? null : (
        <details>
          <summary>{grouped(rest.length)} older</summary>
          <Rows kept={rest} current={current} />
        </details>
      )}
      <p class="quiet">
        <code>npx offprint rollback &lt;generation&gt;</code> goes back to one.
      </p>
    </>
  );
}

function Rows({ kept, current }: KeptProperties) {
  return (
    <Table
      caption="Kept generations, newest first"
      head={["Generation", "Committed (UTC)", "Stories", "Compare"]}
      rows={kept.map(({ generation, committedAt, stories }) => [
        String(generation),
        <time datetime={committedAt}>{shortDate(committedAt)}</time>,
        changesText(stories),
        generation === current ? (
          "the newest"
        ) : (
          <a href={address("compare", { from: generation, to: current })}>what changed since {generation}</a>
        ),
      ])}
    />
  );
}

/** `8 changed (8 moved), 1 removed` */
function changesText(stories: KeptGeneration["stories"]): string {
  if (stories === null) return "–";
  const { added, changed, moved, removed } = stories;
  const ofChanged = Math.min(moved, changed);
  const counts = [
    added > 0 && `${grouped(added)} added`,
    changed > 0 && `${grouped(changed)} changed${ofChanged > 0 ? ` (${grouped(ofChanged)} moved)` : ""}`,
    removed > 0 && `${grouped(removed)} removed`,
  ];
  return counts.filter(Boolean).join(", ") || "none changed";
}
