import type { Child } from "hono/jsx";
import { grouped } from "../../../lib/quantity-text.js";
import type { Unused } from "../data/unused.js";
import { Folded } from "./lists.js";
import { address } from "./page.js";

const lists: readonly (readonly [name: keyof Unused, title: string, href: ((item: string) => string) | undefined])[] = [
  ["fields", "Fields that are always empty", (field) => address("usage", { component: field.split(".")[0] })],
  ["assets", "Assets that no story uses", (url) => address("assets", { show: "unused", q: url.split("/").at(-1) })],
  ["datasources", "Datasources that no field chooses from", undefined],
  ["tags", "Tags that no story has", undefined],
  ["terms", "Terms that no story has", undefined],
  ["stories", "Stories that no other story links to", (slug) => address("stories", { q: slug })],
];
const shown = 25;
const mostShown = 500;

/** What is used nowhere, by kind; long lists are folded. */
export function UnusedLists({ unused }: { unused: Unused | "pending" | "absent" }) {
  if (typeof unused === "string") {
    return <p class="notice">The content is being read. This page reloads until that is done.</p>;
  }
  const found = lists.filter(([name]) => unused[name].length > 0);
  if (found.length === 0) return <p>Everything is used.</p>;
  return found.map(([name, title, href]) => {
    const { length } = unused[name];
    const items = unused[name].slice(0, mostShown).map((item) => <li>{itemOf(item, href)}</li>);
    return (
      <section class="problems" aria-label={title}>
        <h2>
          {title} <span class="count">{grouped(length)}</span>
        </h2>
        <Folded items={items} shown={shown} total={length} />
      </section>
    );
  });
}

function itemOf(item: string, href: ((item: string) => string) | undefined): Child {
  const text = <code dir="auto">{item}</code>;
  return href === undefined ? text : <a href={href(item)}>{text}</a>;
}
