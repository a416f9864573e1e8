import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../../../../src/config/config.js";
import type { StoryRecord } from "../../../../src/contract/records.js";
import type { Store } from "../../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../../support/sample-config.js";
import { commitSample, story } from "../../../support/sample-snapshot.js";

/** How a framework lays out a site. */
export interface SiteStyle {
  name: string;
  /** Of the built site, below that of the project. */
  folder: string;
  /** `/books/one` → `books/one/index.html` */
  file(url: string): string;
  /** What precedes addresses on pages. */
  base?: string;
  origin?: string;
  /** True if the configuration does not say where the site is. */
  hidesOrigin?: boolean;
  /** Where the files of assets go. */
  asset?(path: string): string;
}

const inFolders = (url: string) => `${url.slice(1)}/index.html`.replace(/^\//, "");
const asFiles = (url: string) => (url === "/" ? "index.html" : `${url.slice(1)}.html`);

export const siteStyles: readonly SiteStyle[] = [
  { name: "astro", folder: "dist", file: inFolders, origin: "https://press.example" },
  { name: "next", folder: "out", file: asFiles, origin: "https://press.example", hidesOrigin: true },
  {
    ...{ name: "next server", folder: ".next/server/app", file: asFiles },
    asset: (path) => (path.startsWith("/_next/") ? `../../${path.slice(7)}` : `../../../public${path}`),
  },
  { name: "eleventy", folder: "_site", file: inFolders, base: "/repo", origin: "https://press.example" },
  { name: "hugo", folder: "public", file: inFolders, origin: "https://press.example" },
  { name: "vitepress", folder: ".vitepress/dist", file: asFiles, base: "/repo" },
  { name: "nuxt", folder: ".output/public", file: inFolders, origin: "https://press.example" },
];

const words: Readonly<Record<string, readonly string[]>> = {
  default: "lantern harbour paper ferry winter archive binding sailor garden letter window morning".split(" "),
  de: "Laterne Hafen Papier Fähre Winter Archiv Einband Matrose Garten Brief Fenster Morgen".split(" "),
};
const shells: Readonly<Record<string, { lang: string; header: string; footer: string }>> = {
  default: { lang: "en", header: "Books that are made by hand", footer: "All rights are reserved by the press" },
  de: { lang: "de-AT", header: "Bücher, die von Hand gemacht werden", footer: "Alle Rechte liegen beim Verlag" },
};

/** So many stories of each type. */
const types = { post: 8, author: 4 } as const;

function prose(language: string, n: number): string {
  const own = words[language]!;
  const at = (step: number) => own[(n * 5 + step * (1 + (n % 3))) % own.length]!;
  const [link, end] =
    language === "default"
      ? ["is kept with the", "and nobody has moved it"]
      : ["liegt bei", "und niemand hat es bewegt"];
  return `${at(0)} number ${n} ${link} ${at(1)} & ${at(2)}, ${at(3)} — ${end} since ${1900 + n}.`;
}

function content(type: string, language: string, n: number): Record<string, unknown> {
  const text = (from: number, marks: object[] = []) => ({ type: "text", text: prose(language, from), marks });
  const paragraph = {
    type: "paragraph",
    content: [text(n), { type: "text", text: "bold end", marks: [{ type: "bold" }] }],
  };
  return {
    _uid: `${type}-${n}`,
    component: type,
    headline: `${language === "default" ? "The" : "Der"} ${type} ${n}`,
    body: [{ _uid: `t-${type}-${n}`, component: "text", text: { type: "doc", content: [paragraph] } }],
    note: `${prose(language, n + 40)} Internal, shown nowhere, and longer than what a reader of the page ever gets to see.`,
  };
}

/** The stories of the site in a language: a home page, posts, authors, settings, and those that are gone later. */
function stories(language: string, isEarlier: boolean): StoryRecord[] {
  const prefix = language === "default" ? "" : `${language}/`;
  const one = (id: number, type: string, n: number, slug: string) =>
    story(id, {
      name: `${type} ${n}`,
      full_slug: prefix + slug,
      lang: language,
      content: content(type, language, n) as never,
    });
  const all = [
    one(1, "home", 99, "home"),
    ...Array.from({ length: types.post }, (_, n) =>
      one(10 + n, "post", n, n === 7 ? "posts/café-7" : `posts/post-${n}`),
    ),
    ...Array.from({ length: types.author }, (_, n) => one(30 + n, "author", n + 20, `authors/author-${n}`)),
    one(50, "site_config", 60, "settings"),
  ];
  if (!isEarlier) return all;
  const moved = all.map((record) => (record.id === 12 ? { ...record, full_slug: `${prefix}posts/old-2` } : record));
  return [...moved, one(70, "post", 70, "posts/gone-0")];
}

/** Commits two generations: in the second a post is deleted and another one has moved. */
export async function commitExample(): Promise<Store> {
  const { store } = await commitSample(editions(true));
  await commitSample(editions(false), store);
  return store;
}

function editions(isEarlier: boolean) {
  return { editions: { "published/default": stories("default", isEarlier), "published/de": stories("de", isEarlier) } };
}

export function exampleConfig({ base = "", origin, hidesOrigin }: SiteStyle): Config {
  const links = { ...sampleConfig.resolve.links, pattern: `${base}/{language?}/{slug}` };
  const site = origin === undefined || hidesOrigin ? {} : { url: origin };
  return { ...sampleConfig, resolve: { ...sampleConfig.resolve, links }, site };
}

/** The files of a clean build: texts by path below the built folder. */
export function exampleFiles(style: SiteStyle): Map<string, string> {
  const files = new Map<string, string>();
  const asset = style.asset ?? ((path: string) => path.slice(1));
  for (const path of ["/style.css", "/_next/static/app.js", "/a.png", "/b.png", "/guide.pdf"])
    files.set(asset(path), "x");
  for (const language of ["default", "de"]) {
    for (const record of stories(language, false)) {
      if (record.id === 50) continue;
      files.set(style.file(urlOf(record.full_slug, language)), pageText(style, record, language));
    }
    for (const n of [1, 2, 3]) {
      const url = `${language === "default" ? "" : "/de"}/posts/page/${n}`;
      files.set(style.file(url), document(style, language, url, `<h1>${n}</h1>`, ""));
    }
  }
  files.set("_redirects", "# moved\n/posts/old-2 /posts/post-2 301\n/api/* /.netlify/functions/:splat 200\n");
  files.set("404.html", document(style, "default", "/404", "<h1>Nothing here</h1>", ""));
  files.set("old-home/index.html", `<meta http-equiv="refresh" content="0; url=${style.base ?? ""}/">`);
  return files;
}

/** The address without the base. */
function urlOf(fullSlug: string, language: string): string {
  const slug = fullSlug.replace(/^de\//, "").replace(/^home$/, "");
  return `${language === "default" ? "" : "/de"}/${slug}`.replace(/(?<=.)\/$/, "");
}

function pageText(style: SiteStyle, record: StoryRecord, language: string): string {
  const { headline, component } = record.content as { headline?: string; component: string };
  const n = Number(/\d+$/.exec(String(headline))?.[0]);
  const escaped = prose(language, n).replace("&", "&amp;").replace("—", "&mdash;");
  const own = record.full_slug.replace(/^de\//, "");
  const alternates = ["default", "de"].map((other) => {
    const href = address(style, urlOf(other === "de" ? `de/${own}` : own, other));
    return `<link rel="alternate" hreflang="${shells[other]!.lang}" href="${href}">`;
  });
  const body = `<h1>${headline}</h1><p data-of="${component}">${escaped}<b>bold
    end</b></p><img src="${style.base ?? ""}/a.png" srcset="${style.base ?? ""}/a.png 1x, ${style.base ?? ""}/b.png 2x" alt=""><a href="${style.base ?? ""}/guide.pdf">PDF</a>`;
  return document(style, language, urlOf(record.full_slug, language), body, alternates.join("\n"));
}

function address({ origin = "", base = "" }: SiteStyle, url: string): string {
  return `${origin}${base}${encodeURI(url)}`;
}

function document(style: SiteStyle, language: string, url: string, body: string, head: string): string {
  const { lang, header, footer } = shells[language]!;
  const base = style.base ?? "";
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><title>Press</title>
<meta name="generation" content="2">
<link rel="canonical" href="${address(style, url)}">
${head}
<link rel="stylesheet" href="${base}/style.css"><script src="${base}/_next/static/app.js"></script></head>
<body><header><svg viewBox="0 0 1 1"><title>drawn</title></svg><p>${header}</p></header>
<main>${body}</main>
<footer><p>${footer}</p></footer></body></html>
`;
}

export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
