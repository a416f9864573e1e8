import { createHash } from "node:crypto";

/** A story of the synthetic space, as far as the server has to know it apart from its bytes. */
export interface SpaceStory {
  uuid: string;
  id: number;
  name: string;
  slug: string;
  fullSlug: string;
  parentId: number;
  publishedAt: string;
  /** Counts the edits. */
  revision: number;
}

/** Every so many stories one is an author, and the others name one of them. */
const storiesPerAuthor = 100;
export const storiesPerFolder = 500;
const startMs = Date.UTC(2024, 0, 1);

/** The n-th story: everything follows from n, so that every run reads the same space. */
export function storyAt(n: number): SpaceStory {
  const slug = `${isAuthor(n) ? "author" : "article"}-${n}`;
  const folder = Math.floor(n / storiesPerFolder);
  return {
    uuid: uuidOf(`story ${n}`),
    id: 1_000_000 + n,
    name: `${isAuthor(n) ? "Author" : "Article"} number ${n}`,
    slug,
    fullSlug: `section-${folder}/${slug}`,
    parentId: 100 + folder,
    publishedAt: new Date(startMs + n * 60_000).toISOString(),
    revision: 0,
  };
}

function isAuthor(n: number): boolean {
  return n % storiesPerAuthor === 0;
}

/** How many folders the links listing shows beside so many stories. */
export function folderCount(stories: number): number {
  return Math.ceil(stories / storiesPerFolder);
}

/** The record of a story in one language, about 3 KB of JSON. */
export function storyText(n: number, story: SpaceStory, language: string): string {
  return JSON.stringify({
    name: nameOf(n, story),
    created_at: "2024-01-01T00:00:00.000Z",
    published_at: story.publishedAt,
    updated_at: story.publishedAt,
    id: story.id,
    uuid: story.uuid,
    content: isAuthor(n) ? authorContent(n, story) : articleContent(n, story, language),
    slug: story.slug,
    full_slug: language === "default" ? story.fullSlug : `${language}/${story.fullSlug}`,
    sort_by_date: null,
    position: n,
    tag_list: [`tag-${n % 20}`],
    is_startpage: false,
    parent_id: story.parentId,
    meta_data: null,
    group_id: uuidOf(`group ${n}`),
    first_published_at: "2024-01-01T00:00:00.000Z",
    release_id: null,
    lang: language,
    path: null,
    alternates: [],
    default_full_slug: language === "default" ? null : story.fullSlug,
    translated_slugs: null,
  });
}

/** Its line in the links listing. */
export function linkText(n: number, story: SpaceStory): string {
  return JSON.stringify({
    id: story.id,
    uuid: story.uuid,
    slug: story.fullSlug,
    path: null,
    parent_id: story.parentId,
    name: nameOf(n, story),
    is_folder: false,
    published: true,
    is_startpage: false,
    position: n,
    real_path: `/${story.fullSlug}`,
    published_at: story.publishedAt,
    created_at: "2024-01-01T00:00:00.000Z",
    updated_at: story.publishedAt,
  });
}

export function folderText(n: number): string {
  const slug = `section-${n}`;
  return JSON.stringify({
    id: 100 + n,
    uuid: uuidOf(`folder ${n}`),
    slug,
    path: null,
    parent_id: 0,
    name: `Section ${n}`,
    is_folder: true,
    published: false,
    is_startpage: false,
    position: n,
    real_path: `/${slug}`,
  });
}

function uuidOf(name: string): string {
  const hash = createHash("sha256").update(name).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** An edited author has another name, which shows wherever an article names its author. */
function nameOf(n: number, { name, revision }: SpaceStory): string {
  return isAuthor(n) && revision > 0 ? `${name}, renamed ${revision}` : name;
}

function authorContent(n: number, story: SpaceStory) {
  return {
    _uid: uuidOf(`blok ${n}`),
    component: "author",
    name: nameOf(n, story),
    biography: richText(n),
    links: [
      { _uid: uuidOf(`blok ${n} link`), component: "profile_link", label: "Home page", url: "https://example.com" },
    ],
  };
}

function articleContent(n: number, story: SpaceStory, language: string) {
  const author = n - (n % storiesPerAuthor);
  return {
    _uid: uuidOf(`blok ${n}`),
    component: "article",
    title: `${story.name} (${language})`,
    teaser: `What number ${n} is about${story.revision === 0 ? "" : `, revised ${story.revision} times`}, in one sentence.`,
    author: uuidOf(`story ${author}`),
    rating: n % 5,
    featured: n % 7 === 0,
    image: { id: null, alt: "", name: "", focus: "", title: "", filename: "", copyright: "", fieldtype: "asset" },
    body: richText(n),
    sections: [1, 2].map((section) => ({
      _uid: uuidOf(`blok ${n} section ${section}`),
      component: "section",
      headline: `Section ${section} of ${n}`,
      columns: section,
      background: "none",
    })),
    seo: {
      title: `${story.name} for search engines`,
      description: "A description that search engines may show.",
      plugin: "seo",
    },
  };
}

const words = "content space record index story page reads writes keeps whole exact small quick change answer".split(
  " ",
);

/** A document of about 650 characters: headings, paragraphs with marks, a list. */
function richText(n: number) {
  const text = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => words[(n * 7 + from + at * 3) % words.length]).join(" ");
  const paragraph = (from: number) => ({
    type: "paragraph",
    content: [
      { type: "text", text: `${text(from, 9)} ` },
      { type: "text", text: text(from + 1, 2), marks: [{ type: "bold" }] },
      { type: "text", text: ` ${text(from + 2, 10)} ` },
      {
        type: "text",
        text: text(from + 3, 2),
        marks: [
          {
            type: "link",
            attrs: { href: "https://example.com/page", uuid: null, anchor: null, target: "_self", linktype: "url" },
          },
        ],
      },
      { type: "text", text: "." },
    ],
  });
  return {
    type: "doc",
    content: [
      { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: text(0, 4) }] },
      paragraph(1),
      paragraph(5),
      {
        type: "bullet_list",
        content: [1, 2].map((item) => ({
          type: "list_item",
          content: [{ type: "paragraph", content: [{ type: "text", text: text(item, 6) }] }],
        })),
      },
    ],
  };
}
