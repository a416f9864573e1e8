import type { Child } from "hono/jsx";
import { grouped } from "../../lib/quantity-text.js";
import type { Facet } from "./story-list.js";

interface FacetProperties {
  title: string;
  facets: readonly Facet[];
  href(value: string): string;
  current?: string;
}

/** Values of one kind with their counts, each a link that narrows a list to it. */
export function FacetList({ title, facets, href, current = "" }: FacetProperties) {
  if (facets.length === 0) return null;
  return (
    <FacetBox title={title}>
      <ul>
        {facets.map(({ value, count }) => (
          <li>
            <a href={href(value)} {...(value === current ? { "aria-current": "true" } : {})}>
              <span dir="auto">{value}</span> <span class="count">{grouped(count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </FacetBox>
  );
}

/** Values of one kind, which can be folded away. */
export function FacetBox({ title, children }: { title: string; children?: Child }) {
  return (
    <details open>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
