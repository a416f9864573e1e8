import type { BlockModel } from "../../content-model/content-model.js";
import { contentUsage } from "../content-usage.js";
import { editionOf } from "../edition-choice.js";
import type { ExplorerSpace } from "../explorer-space.js";
import { address, type Page, type PageRequest } from "../page.js";
import { Table } from "../parts.js";
import { grouped } from "../text.js";

/** How long a page waits for a reading that is under way, in milliseconds. */
const waitMs = 120;
const shownBlocks = 300;

/** `/usage`: content types and blocks, how many there are, and how often each of their fields is filled. */
export async function makeUsagePage({ source }: ExplorerSpace, request: PageRequest): Promise<Page> {
  const view = source.view();
  const edition = editionOf(view.reader.manifest, request);
  const usage = await contentUsage(view, edition.name, waitMs);
  const isComplete = usage.read >= usage.total;
  const component = request.query.get("component") ?? "";
  const blocks = [...usage.blocks].sort((a, b) => b.count - a.count);
  const chosen = blocks.find((block) => block.component === component);
  const summary = blocks.map(({ component: name, count, stories, fields }) => ({
    component: name,
    count,
    stories,
    fields: fields.map((field) => ({ name: field.name, present: field.present, filled: field.filled })),
  }));
  return {
    title: chosen === undefined ? "Usage" : chosen.component,
    section: "usage",
    data: { edition: edition.name, read: usage.read, total: usage.total, isComplete, blocks: summary },
    ...(isComplete ? {} : { againSeconds: 1 }),
    view: () => (
      <>
        <h1>Usage</h1>
        {isComplete ? null : (
          <p class="notice">
            Reading the content: {grouped(usage.read)} of {grouped(usage.total)} stories. The page is asked for again
            until all are.
          </p>
        )}
        {chosen === undefined ? null : <Fields block={chosen} />}
        <Table
          caption={`Content types and blocks of ${edition.name}`}
          head={["Component", "Stories", "As a block", "Fields", "Never filled"]}
          rows={blocks.slice(0, shownBlocks).map((block) => [
            <a href={address("usage", { component: block.component, language: edition.language })} dir="auto">
              {block.component}
            </a>,
            block.stories === 0 ? (
              "–"
            ) : (
              <a href={address("stories", { type: block.component })}>{grouped(block.stories)}</a>
            ),
            grouped(block.count - block.stories),
            grouped(block.fields.length),
            <span dir="auto">
              {block.fields
                .filter(({ filled }) => filled === 0)
                .map(({ name }) => name)
                .slice(0, 8)
                .join(", ") || "–"}
            </span>,
          ])}
        />
        {blocks.length > shownBlocks ? <p class="quiet">and {grouped(blocks.length - shownBlocks)} more</p> : null}
      </>
    ),
  };
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
      <meter min={0} max={100} value={share} aria-label="Share that is filled">
        {share}%
      </meter>{" "}
      {share}%
    </>
  );
}
