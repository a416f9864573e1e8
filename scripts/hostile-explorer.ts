import { createHash } from "node:crypto";
import { buildSnapshot } from "../demo/build-snapshot.js";
import { resolveConfig } from "../src/config/load/resolve-config.js";
import { configSchema } from "../src/config/schema/config-schema.js";
import { runCheck } from "../src/content/check/run-check.js";
import { createExplorer } from "../src/server/explorer/explorer.js";
import { prefix } from "../src/server/explorer/parts/page.js";
import { startReplica } from "../src/server/replica/http/server.js";
import { manifestFile, parts } from "../src/snapshot/layout.js";
import { scratchStore } from "../src/snapshot/open-output.js";
import { openReader } from "../src/snapshot/reader/open-reader.js";
import { createMemoryStore } from "../src/snapshot/store/memory-store.js";

/** What a text may hold to run where it is shown; `ran` counts what did. */
const texts = [
  "<script>ran=1</script>",
  "</script><script>ran=1</script>",
  '"><script>ran=1</script>',
  "'><img src=x onerror=ran=1>",
  '" onmouseover="ran=1" autofocus onfocus="ran=1',
  "' onclick='ran=1",
  "<img src=x onerror=ran=1>",
  "<svg onload=ran=1>",
  "<svg><script>ran=1</script></svg>",
  "<iframe srcdoc='<script>parent.ran=1</script>'>",
  "<style>*{background:url(https://evil.example/x)}</style>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<base href=https://evil.example/>",
  "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
  "<form action=https://evil.example/><input name=q>",
  "<details open ontoggle=ran=1>",
  "<math><mtext></form><form><mglyph><svg><mtext><textarea><path id='</textarea><img onerror=ran=1 src=1>'>",
  "{{constructor.constructor('ran=1')()}}",
  "<!--><img src=x onerror=ran=1>-->",
  "]]><script>ran=1</script>",
  "</title><script>ran=1</script>",
  "</textarea><script>ran=1</script>",
  "</style><script>ran=1</script>",
  "<a href=javascript:ran=1>x</a>",
  "\u202e<script>ran=1</script>",
];
const addresses = [
  "javascript:ran=1",
  "JaVaScRiPt:ran=1",
  " javascript:ran=1",
  "java\nscript:ran=1",
  "data:text/html,<script>opener.ran=1</script>",
  "vbscript:ran=1",
  "https://evil.example/x.png",
  "//evil.example/x.png",
];
/** Every text alone, and as a part of others. */
const payloads = texts.flatMap((text) => [
  text,
  `a ${text} b`,
  `${text}${text}`,
  text.toUpperCase(),
  encodeURIComponent(text),
  `x/${text}`,
  `${text}\n${text}`,
  `\\${text}`,
]);

/** A running explorer over a space of two generations in which every text, slug, tag, name and address is a payload. */
export async function startHostileExplorer(token: string) {
  const store = createMemoryStore();
  const uuids = payloads.map((_, place) => uuidOf(place));
  for (const generation of [1, 2]) {
    await buildSnapshot(
      {
        space: { id: 7, name: texts[0]!, languages: ["de"] },
        cv: 1_700_000_000 + generation,
        committedAt: `2026-01-0${generation}T00:00:00.000Z`,
        parts: Object.fromEntries(
          ["default", "de"].map((language) => [
            parts.stories(`published/${language}`),
            payloads
              .map((text, place) => JSON.stringify(storyOf(text, place, `${language} ${generation}`)))
              .sort(byUuid),
          ]),
        ),
        editions: ["default", "de"].map((language) => ({ version: "published" as const, release: null, language })),
        assets: assetsOf(),
      },
      store,
    );
  }
  const manifest = JSON.parse(Buffer.from((await store.get(manifestFile))!).toString());
  const reader = await openReader(store, manifest);
  const read = configSchema.read({ source: { url: "demo:", token: "demo" } });
  if (!("value" in read)) throw new Error("the defaults do not fit the schema");
  const config = resolveConfig(read.value, process.cwd());
  const check = (since?: "previous") => runCheck(scratchStore(store), { config, since });
  const replica = await startReplica({
    reader: () => reader,
    store,
    tokens: { public: [], preview: [token] },
    pages: { prefix, open: createExplorer({ spaces: [{ config, store, check }] }) },
  });
  const keys = assetsOf().map(({ record }) => record.key);
  const paths = [
    "",
    "runs",
    ...[1, 2, 3].map((page) => `problems?page=${page}`),
    "problems?show=new",
    "assets?show=untold",
    "usage",
    "assets",
    ...keys.map((key) => `assets/${key}`),
    ...[1, 2, 3, 4].map((page) => `stories?page=${page}`),
    ...texts.map((text) => `stories?q=${encodeURIComponent(text)}&tag=${encodeURIComponent(text)}`),
    ...texts.map((text) => `usage?component=${encodeURIComponent(text)}`),
    ...[1, 2, 3, 4, 5].map((page) => `compare?page=${page}`),
    ...uuids.map((uuid) => `stories/${uuid}`),
    ...uuids.slice(0, 25).flatMap((uuid) => [`stories/${uuid}/languages`, `compare/${uuid}?from=1&to=2`]),
  ];
  return { url: replica.url, paths, payloads: payloads.length, stop: () => replica.close() };
}

function byUuid(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function uuidOf(place: number): string {
  const hex = createHash("sha256").update(String(place)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function storyOf(payload: string, place: number, seen: string) {
  const text = `${payload} ${seen}`;
  const address = addresses[place % addresses.length]!;
  const marks = [
    { type: "link", attrs: { href: address, linktype: "url", target: payload } },
    { type: "textStyle", attrs: { color: `red;background:url(${address})` } },
    { type: "styled", attrs: { class: payload } },
  ];
  return {
    uuid: uuidOf(place),
    name: text,
    id: place + 1,
    slug: payload,
    full_slug: `folder ${payload}/${payload}`,
    created_at: payload,
    published_at: payload,
    tag_list: [payload],
    content: {
      _uid: uuidOf(place + 1000),
      component: payload,
      title: text,
      [payload]: text,
      address,
      related: uuidOf((place + 1) % payloads.length),
      link: { fieldtype: "multilink", linktype: "url", id: "", url: address, cached_url: address },
      story: { fieldtype: "multilink", linktype: "story", id: uuidOf(place + 5000), url: payload, cached_url: payload },
      image: {
        fieldtype: "asset",
        id: 1,
        filename: `https://a.example/f/1/10x10/a/${place % 3}.svg`,
        alt: text,
        title: text,
        focus: payload,
      },
      picture: { fieldtype: "asset", id: 1, filename: address, alt: text, title: payload },
      table: { fieldtype: "table", thead: [{ value: payload }], tbody: [{ body: [{ value: payload }] }] },
      plugin: { plugin: payload, value: payload },
      body: [{ _uid: uuidOf(place + 2000), component: payload, headline: text }],
      text: {
        type: "doc",
        content: [
          { type: "paragraph", attrs: { textAlign: payload }, content: [{ type: "text", text, marks }] },
          { type: "image", attrs: { src: address, alt: payload, title: payload } },
          { type: "code_block", attrs: { class: payload }, content: [{ type: "text", text }] },
          { type: "heading", attrs: { level: payload }, content: [{ type: "text", text }] },
          { type: payload, content: [{ type: "text", text }] },
          { type: "emoji", attrs: { name: payload, emoji: payload, fallbackImage: address } },
          {
            type: "blok",
            attrs: { id: payload, body: [{ _uid: uuidOf(place + 3000), component: payload, headline: text }] },
          },
        ],
      },
    },
  };
}

/** A picture with a script, a page, and one whose name is a payload. */
function assetsOf() {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10" onload="parent.ran=1"><script>parent.ran=1</script><circle r="5"/></svg>`;
  const files = [
    { name: "0.svg", type: "image/svg+xml", text: svg },
    { name: "1.svg", type: "text/html", text: "<script>ran=1</script>" },
    { name: "2.svg", type: "image/svg+xml", text: svg },
  ];
  return files.map(({ name, type, text }) => {
    const url = `https://a.example/f/1/10x10/a/${name}`;
    const bytes = Buffer.from(text);
    const hash = createHash("sha256").update(bytes).digest("hex");
    const key = createHash("sha256").update(url).digest("hex");
    return { record: { key, url, hash, name, type, bytes: bytes.length, uses: payloads.length }, bytes };
  });
}
