import type { BlockModel } from "../../../content/model/content-model.js";
import { grouped } from "../../../lib/quantity-text.js";
import { contentUsage } from "../data/content-usage.js";
import { Table, textLink } from "../parts/lists.js";
import { address, editionOf, page } from "../parts/page.js";

/** Longest wait for a running read, in milliseconds. */
const waitMs = 120;
const shownBlocks = 300;

/** `/usage`: content types and blocks, their counts, and how often each field is filled. */
export const usagePage = page({
  path: "usage",
  section: "usage",
  async load({ query, view, manifest }) {
    const edition = editionOf(manifest, query);
    const { read, total, blocks: found } = await contentUsage(view, edition.name, waitMs);
    const isComplete = read >= total;
    const blocks = [...found].sort((a, b) => b.count - a.count);
    const chosen = blocks.find(({ component }) => component === query.get("component"));
    const summary = blocks.map(({ component, count, stories, fields }) => {
      return {
        component,
        count,
        stories,
        fields: fields.map(({ name, present, filled }) => ({ name, present, filled })),
      };
    });
    return {
      title: chosen === undefined ? "Usage" : chosen.component,
      data: { edition: edition.name, read, total, isComplete, blocks: summary },
      againSeconds: isComplete ? undefined : 1,
      ...{ language: edition.language, blocks, chosen },
    };
  },
  view: ({ data: { edition, read, total, isComplete }, language, blocks, chosen }) => (
    <>
      <h1>Usage</h1>
      {isComplete ? null : (
        <p class="notice">
          Read {grouped(read)} of {grouped(total)} stories so far. This page reloads until all are read.
        </p>
      )}
      {chosen === undefined ? null : <Fields block={chosen} />}
      <Table
        caption={`Content types and blocks of ${edition}`}
        head={["Component", "Stories", "As a block", "Fields", "Never filled"]}
        rows={blocks
          .slice(0, shownBlocks)
          .map(({ component, stories, count, fields }) => [
            textLink(address("usage", { component, language }), component),
            stories === 0 ? "–" : <a href={address("stories", { type: component })}>{grouped(stories)}</a>,
            grouped(count - stories),
            grouped(fields.length),
            <span dir="auto">{neverFilled(fields).slice(0, 8).join(", ") || "–"}</span>,
          ])}
      />
      {blocks.length > shownBlocks ? <p class="quiet">and {grouped(blocks.length - shownBlocks)} more</p> : null}
    </>
  ),
});

function neverFilled(fields: BlockModel["fields"]): string[] {
  return fields.flatMap(({ name, filled }) => (filled === 0 ? [name] : []));
}

function Fields({ block }: { block: BlockModel }) {
  return (
    <>
      <h2 dir="auto">{block.component}</h2>
      <Table
        caption={`How often each field of ${block.component} is filled`}
        head={["Field", "Filled", "Of", "Share"]}
        rows={block.fields.map(({ name, filled, present }) => [
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
