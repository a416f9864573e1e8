import type { Child } from "hono/jsx";
import { grouped } from "../../../lib/quantity-text.js";
import type { Facet } from "../data/story-list.js";

/** Filters beside a list; on phones folded above it, so that the list is on the first screen. */
export function Facets({ children }: { children: Child }) {
  return (
    <aside class="facets" aria-label="Filters">
      <details>
        <summary>Filters</summary>
        {children}
      </details>
    </aside>
  );
}

interface FacetProperties {
  title: string;
  facets: readonly Facet[];
  href(value: string): string;
  current?: string;
  /** Default: the value itself. */
  name?(value: string): string;
}

export function FacetList({ title, facets, href, current = "", name = (value) => value }: FacetProperties) {
  if (facets.length === 0) return null;
  const links = facets.map(({ value, count }) => {
    const text = [<span dir="auto">{name(value)}</span>, " ", <span class="count">{grouped(count)}</span>];
    return [text, href(value), value === current] as const;
  });
  return <FacetBox title={title} links={links} />;
}

interface FacetBoxProperties {
  title: string;
  links: readonly (readonly [text: Child, href: string, isCurrent: boolean])[];
}

/** Links that are shown at once; the others are folded. */
const shownLinks = 10;

export function FacetBox({ title, links }: FacetBoxProperties) {
  const [shown, folded] = [links.slice(0, shownLinks), links.slice(shownLinks)];
  return (
    <details open>
      <summary>{title}</summary>
      <FacetLinks links={shown} />
      {folded.length === 0 ? null : (
        <details {...(folded.some(([, , isCurrent]) => isCurrent) ? { open: true } : {})}>
          <summary>all {grouped(links.length)}</summary>
          <FacetLinks links={folded} />
        </details>
      )}
    </details>
  );
}

function FacetLinks({ links }: Pick<FacetBoxProperties, "links">) {
  return (
    <ul>
      {links.map(([text, href, isCurrent]) => (
        <li>
          <a href={href} {...(isCurrent ? { "aria-current": "true" } : {})}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}
