import type { Child } from "hono/jsx";
import { sortedEntries } from "../../../content/model/content-model.js";
import { grouped } from "../../../lib/quantity-text.js";
import { contentUsage } from "../data/content-usage.js";
import { type Unused, unusedOf } from "../data/findings.js";
import { blockUsers, mostUsers } from "../data/related-stories.js";
import { Choices, Folded, More, RelatedTable, Table, textLink } from "../parts/lists.js";
import { type Asked, address, editionOf, page } from "../parts/page.js";

/** Longest wait for a running read, in milliseconds. */
const waitMs = 120;
const shownBlocks = 300;

/** `/usage`: content types and blocks, how often each field is filled, who uses one, and what is used nowhere. */
export const usagePage = page({
  path: "usage",
  load,
  view: ({ isUnused, looks, ...loaded }) => (
    <>
      <h1>Usage</h1>
      {looks ? (
        <Choices
          label="What to list"
          choices={[
            ["Content types and blocks", !isUnused, address("usage")],
            ["Used nowhere", isUnused, address("usage", { show: "unused" })],
          ]}
        />
      ) : null}
      {isUnused ? <UnusedLists unused={loaded.unused} /> : <Blocks {...loaded} />}
    </>
  ),
});

async function load({ query, view, manifest, space }: Asked) {
  const edition = editionOf(manifest, query);
  const isUnused = query.get("show") === "unused" && space.unused !== undefined;
  const unused = isUnused ? await unusedOf(space, waitMs) : "absent";
  const { read, total, blocks: found } = await contentUsage(view, edition.name, waitMs);
  const isComplete = read >= total;
  const summary = sortedEntries(found).map(([component, { count, stories, fields }]) => {
    return {
      component,
      count,
      stories,
      fields: sortedEntries(fields).map(([name, { present, filled }]) => ({ name, present, filled })),
    };
  });
  const blocks = summary.sort((a, b) => b.count - a.count);
  const chosen = blocks.find(({ component }) => component === query.get("component"));
  const users = chosen === undefined ? [] : await blockUsers(view, edition.name, chosen.component);
  return {
    title: chosen === undefined ? "Usage" : chosen.component,
    data: {
      ...{ edition: edition.name, read, total, isComplete, blocks },
      ...(chosen && { component: chosen.component, users }),
      ...(typeof unused === "object" && { unused }),
    },
    againSeconds: isComplete && unused !== "pending" ? undefined : 1,
    ...{ language: edition.language, chosen, users, unused, isUnused, looks: space.unused !== undefined },
  };
}

type BlocksProperties = Omit<Awaited<ReturnType<typeof load>>, "isUnused" | "looks">;
type Block = BlocksProperties["data"]["blocks"][number];

function Blocks({ data, language, chosen, users }: BlocksProperties) {
  const { edition, read, total, isComplete, blocks } = data;
  return (
    <>
      {isComplete ? null : (
        <p class="notice">
          Read {grouped(read)} of {grouped(total)} stories so far. This page reloads until all are read.
        </p>
      )}
      {chosen === undefined ? null : (
        <>
          <Fields block={chosen} />
          {users.length === 0 ? null : (
            <RelatedTable
              caption={`Stories with ${chosen.component} as a block${users.length < mostUsers ? "" : `: the first ${mostUsers}`}`}
              stories={users}
              parameters={{ language }}
              fields="Where"
            />
          )}
        </>
      )}
      <Table
        caption={`Content types and blocks of ${edition}`}
        head={["Component", "Stories", "As a block", "Fields", "Never filled"]}
        rows={blocks
          .slice(0, shownBlocks)
          .map((block) => [
            textLink(address("usage", { component: block.component, language }), block.component),
            block.stories === 0 ? (
              "–"
            ) : (
              <a href={address("stories", { type: block.component })}>{grouped(block.stories)}</a>
            ),
            grouped(block.count - block.stories),
            grouped(ownFields(block).length),
            <span dir="auto">{neverFilled(block).slice(0, 8).join(", ") || "–"}</span>,
          ])}
      />
      <More count={blocks.length - shownBlocks} />
    </>
  );
}

/** Those that an editor fills. */
function ownFields({ fields }: Block): Block["fields"] {
  return fields.filter(({ name }) => name !== "_uid");
}

function neverFilled(block: Block): string[] {
  return ownFields(block).flatMap(({ name, filled }) => (filled === 0 ? [name] : []));
}

function Fields({ block }: { block: Block }) {
  return (
    <>
      <h2 dir="auto">{block.component}</h2>
      <Table
        caption={`How often each field of ${block.component} is filled`}
        head={["Field", "Filled", "Of", "Share"]}
        rows={ownFields(block).map(({ name, filled, present }) => [
          <span dir="auto">{name}</span>,
          grouped(filled),
          grouped(Math.max(present, block.count)),
          <Share part={filled} of={block.count} />,
        ])}
      />
    </>
  );
}

function Share({ part, of }: { part: number; of: number }) {
  const share = of === 0 ? 0 : Math.round((part / of) * 100);
  return (
    <>
      <meter min={0} max={100} value={share} aria-label="Filled share">
        {share}%
      </meter>{" "}
      {share}%
    </>
  );
}

const lists: readonly (readonly [name: keyof Unused, title: string, href: ((item: string) => string) | undefined])[] = [
  ["fields", "Fields that are always empty", (field) => address("usage", { component: field.split(".")[0] })],
  ["assets", "Assets that no story uses", (url) => address("assets", { show: "unused", q: url.split("/").at(-1) })],
  ["datasources", "Datasources that no field chooses from", undefined],
  ["tags", "Tags that no story has", undefined],
  ["terms", "Terms that no story has", undefined],
  ["stories", "Stories that no other story links to", (slug) => address("stories", { q: slug })],
];
const shownUnused = 25;
const mostUnused = 500;

/** What is used nowhere, by kind; long lists are folded. */
function UnusedLists({ unused }: { unused: Unused | "pending" | "absent" }) {
  if (typeof unused === "string") {
    return <p class="notice">The content is being read. This page reloads until that is done.</p>;
  }
  const found = lists.filter(([name]) => unused[name].length > 0);
  if (found.length === 0) return <p>Everything is used.</p>;
  return found.map(([name, title, href]) => {
    const { length } = unused[name];
    const items = unused[name].slice(0, mostUnused).map((item) => <li>{itemOf(item, href)}</li>);
    return (
      <section class="problems" aria-label={title}>
        <h2>
          {title} <span class="count">{grouped(length)}</span>
        </h2>
        <Folded items={items} shown={shownUnused} total={length} />
      </section>
    );
  });
}

function itemOf(item: string, href: ((item: string) => string) | undefined): Child {
  const text = <code dir="auto">{item}</code>;
  return href === undefined ? text : <a href={href(item)}>{text}</a>;
}
