import type { Child } from "hono/jsx";
import { shownValue } from "../../../content/diff/difference-entries.js";
import { sizeInAddress } from "../../../content/resolve/asset-fields.js";
import {
  blockKeys,
  isAsset,
  isBlock,
  isFilled,
  isMultilink,
  isRichText,
  type JsonObject,
} from "../../../content/resolve/content-shape.js";
import { costLimits } from "../../../lib/cost-limits.js";
import { grouped } from "../../../lib/quantity-text.js";
import { isObject, uuid as uuidShape } from "../../../lib/shape.js";
import type { ContentContext } from "./content-context.js";
import { textBox, textLink } from "./lists.js";
import { richTextHtml, safeHref } from "./rich-text-html.js";

/** Longest shown text, in characters; the raw record has the rest. */
const shownCharacters = 20_000;
const shownItems = 200;

type BlockProperties = { block: JsonObject; context: ContentContext; level?: number };

export function BlockFields({ block, context, level = 0 }: BlockProperties) {
  const fields = Object.entries(block).filter(([name]) => !blockKeys.has(name));
  const filled = fields.filter(([, value]) => isFilled(value));
  const empty = fields.filter(([, value]) => !isFilled(value)).map(([name]) => name);
  return (
    <>
      <dl class="fields">
        {filled.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{fieldValue(value, context, level)}</dd>
          </div>
        ))}
      </dl>
      {empty.length === 0 ? null : <p class="quiet">Empty: {empty.slice(0, 50).join(", ")}</p>}
    </>
  );
}

function fieldValue(value: unknown, context: ContentContext, level: number): Child {
  if (typeof value === "string") return textValue(value, context);
  if (typeof value !== "object" || value === null) return <code>{String(value)}</code>;
  if (level >= costLimits.nesting / 2) return <span class="quiet">nested too deeply to show</span>;
  if (Array.isArray(value)) return listValue(value, context, level);
  if (!isObject(value)) return <code>{String(value)}</code>;
  if (isRichText(value)) return richTextValue(value, context);
  if (isBlock(value)) return blockValue(value, context, level);
  if (isAsset(value)) return <AssetFigure asset={value} context={context} />;
  if (isMultilink(value)) return linkValue(value, context);
  return <pre>{limited(shownValue(value))}</pre>;
}

function textValue(value: string, context: ContentContext): Child {
  const name = uuidShape.is(value) ? context.storyName(value) : undefined;
  if (name !== undefined) return textLink(context.storyPage(value), name);
  const lost = context.lostStory(value);
  return lost === undefined ? textBox(limited(value)) : problem(lost);
}

function limited(text: string): string {
  if (text.length <= shownCharacters) return text;
  return `${text.slice(0, shownCharacters)}… (${grouped(text.length)} characters; the raw record has all of them)`;
}

function listValue(list: readonly unknown[], context: ContentContext, level: number): Child {
  const more = list.length - shownItems;
  return (
    <>
      <ol class={list.some(isBlock) ? "blocks" : "plain"}>
        {list.slice(0, shownItems).map((item) => (
          <li>{fieldValue(item, context, level + 1)}</li>
        ))}
      </ol>
      {more <= 0 ? null : <p class="quiet">and {grouped(more)} more; the raw record has all of them</p>}
    </>
  );
}

function blockValue(block: JsonObject, context: ContentContext, level: number): Child {
  return (
    <details open={level < 4}>
      <summary>{String(block.component)}</summary>
      <BlockFields block={block} context={context} level={level + 1} />
    </details>
  );
}

function richTextValue(document: JsonObject, context: ContentContext): Child {
  if (JSON.stringify(document).length > 500_000) return textBox(limited(shownValue(document)));
  return <div class="rich" dir="auto" dangerouslySetInnerHTML={{ __html: richTextHtml(document, context) }} />;
}

function problem(text: string): Child {
  return (
    <span class="problem" dir="auto">
      {text}
    </span>
  );
}

function linkValue(link: JsonObject, context: ContentContext): Child {
  const text = (name: string) => (typeof link[name] === "string" ? link[name] : "");
  if (link.linktype === "story") {
    const name = context.storyName(text("id"));
    if (name !== undefined) return textLink(context.storyPage(text("id")), name);
    return problem(context.lostStory(text("id")) ?? `${text("cached_url") || text("id")} (no such story)`);
  }
  const address = text("email") === "" ? text("url") || text("cached_url") : `mailto:${text("email")}`;
  const href = safeHref(address);
  return href === undefined ? (
    <span dir="auto">{address}</span>
  ) : (
    <a href={href} rel="noopener noreferrer" dir="auto">
      {address}
    </a>
  );
}

function AssetFigure({ asset, context }: { asset: JsonObject; context: ContentContext }) {
  const text = (name: string) => (typeof asset[name] === "string" ? asset[name] : "");
  const url = text("filename");
  const picture = context.picture(url);
  const page = context.assetPage(url);
  const name = url.slice(url.lastIndexOf("/") + 1);
  const focus = /^(\d+)x(\d+):/.exec(text("focus"))?.slice(1);
  return (
    <figure>
      {picture === undefined ? null : (
        <div class="picture">
          <img src={picture} alt={text("alt")} loading="lazy" />
          <FocusMark focus={focus} url={url} />
        </div>
      )}
      <figcaption dir="auto">
        {page === undefined ? name : <a href={page}>{name}</a>}
        {text("alt") === "" ? <span class="problem"> no alternative text</span> : ` · alt: ${text("alt")}`}
        {text("title") === "" ? "" : ` · title: ${text("title")}`}
        {focus === undefined ? "" : ` · focus ${focus.join("×")}`}
      </figcaption>
    </figure>
  );
}

/** @param focus undefined: none. On the platform, `640x360:641x361` */
function FocusMark({ focus, url }: { focus: string[] | undefined; url: string }) {
  const size = sizeInAddress(url);
  if (focus === undefined || size === undefined) return null;
  const [x, y] = focus;
  const radius = Math.max(size.width, size.height) / 40;
  return (
    <svg viewBox={`0 0 ${size.width} ${size.height}`} class="focus" aria-hidden="true">
      <circle cx={x} cy={y} r={radius} stroke-width={radius / 3} />
    </svg>
  );
}
