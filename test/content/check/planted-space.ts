import type { StoryRecord } from "../../../src/contract/records.js";
import { story, uuid } from "../../support/sample-snapshot.js";

/** A planted defect, and the finding that it must give. */
export interface Planted {
  code: string;
  /** Uuid of the story in the finding. */
  uuid: string;
}

const sentence = "Words that are read on the page, enough of them to differ from others";

/**
 * A space without a defect, in which each story links to the one after it and names the one after that, and then some defects.
 * They lie at places that have nothing to do with one another.
 */
export function plantedSpace(count: number): {
  published: StoryRecord[];
  german: StoryRecord[];
  planted: Planted[];
  datasources: { parts: Record<string, readonly unknown[]> };
  assets: object[];
} {
  const published = Array.from({ length: count }, (_, n) => article(n, count));
  const german = published.map((record, n) => translated(record, n));
  const planted: Planted[] = [];
  const step = Math.floor(count / 45);
  let next = 0;
  const plant = (code: string, spoil: (content: Content, record: StoryRecord, n: number) => void) => {
    next += step;
    const record = published[next]!;
    spoil(record.content as unknown as Content, record, next);
    planted.push({ code, uuid: record.uuid });
  };
  for (let time = 0; time < 5; time += 1) {
    plant("RELATION_DANGLING", (content) => content.related.push(uuid(900_000 + time)));
    plant("LINK_DEAD", (content) => {
      content.link.id = uuid(910_000 + time);
    });
    plant("LINK_ADDRESS_DEAD", (content) => {
      content.text = `${sentence} [here](/nowhere-${time}).`;
    });
    plant("SCRIPT_LINK", (content) => {
      content.link = {
        ...content.link,
        linktype: "url",
        id: "",
        url: ["javascript:a()", " JavaScript:b()"][time % 2]!,
      };
    });
    plant("ALT_MISSING", (content) => {
      content.picture.alt = "";
    });
    plant("OPTION_UNKNOWN", (content) => {
      content.colour = `mauve-${time}`;
    });
  }
  for (let time = 0; time < 3; time += 1) {
    plant("SEO_EMPTY", (content) => {
      content.seo.description = "";
    });
    plant("RICH_TEXT_UNKNOWN", (content) => {
      content.body.content.push({ type: `chart-${time}` });
    });
  }
  plant("URL_TWICE", (_content, record, n) => {
    record.full_slug = "story-0/";
    // The address that it had is linked to by none.
    (published[n - 1]!.content as unknown as Content).text = sentence;
  });
  plant("STORY_EMPTY", (_content, record) => {
    delete record.content;
  });
  // Two assets that many do not use.
  const gone = "https://a.storyblok.com/f/7/gone.png";
  plant("ASSET_GONE", (content) => {
    content.picture.filename = gone;
  });
  plant("FIELD_EMPTY", (content) => {
    content.summary = "";
  });
  const assets = [
    assetRecord(gone, { hash: null, missing: "gone", status: 404, bytes: 0 }),
    assetRecord("https://a.storyblok.com/f/7/picture.png", {}),
  ];
  const datasources = {
    parts: {
      datasources: [{ id: 1, name: "Colours", slug: "colours", dimensions: [] }],
      "entries/1": ["red", "blue", "green"].map((value, id) => ({ id, name: value, value, dimension_value: null })),
    },
  };
  return { published, german, planted, datasources, assets };
}

interface Content {
  related: string[];
  link: { linktype: string; id: string; url: string };
  text: string;
  picture: { alt: string; filename: string };
  colour: string;
  seo: { description: string };
  body: { content: object[] };
  summary: string;
}

function article(n: number, count: number): StoryRecord {
  const following = uuid((n + 1) % count);
  return story(n, {
    uuid: uuid(n),
    full_slug: `story-${n}`,
    content: {
      _uid: `block-${n}`,
      component: "article",
      title: `${sentence} number ${n}`,
      text: `${sentence}. [Next](/story-${(n + 1) % count})`,
      summary: `${sentence} in short, of ${n}`,
      related: [uuid((n + 2) % count)],
      link: { fieldtype: "multilink", linktype: "story", id: following, url: "", cached_url: "old-address" },
      picture: { fieldtype: "asset", id: 5, filename: "https://a.storyblok.com/f/7/picture.png", alt: "A picture" },
      colour: ["red", "blue", "green"][n % 3],
      seo: { plugin: "seo_metatags", title: "Title", description: "Description" },
      body: {
        type: "doc",
        content: [{ type: "paragraph", content: [{ type: "text", text: `${sentence} as text ${n}` }] }],
      },
    },
  });
}

function translated(record: StoryRecord, n: number): StoryRecord {
  const text = JSON.stringify(record.content)
    .replaceAll(sentence, "Wörter, die auf der Seite gelesen werden, und zwar genug davon")
    .replaceAll("/story-", "/de/story-");
  return { ...record, lang: "de", full_slug: `de/story-${n}`, content: JSON.parse(text) };
}

function assetRecord(url: string, more: object): object {
  const key = Buffer.from(url).toString("hex").padEnd(64, "0").slice(0, 64);
  return { key, url, hash: "0".repeat(64), name: url.split("/").at(-1), type: "image/png", bytes: 9, uses: 1, ...more };
}
