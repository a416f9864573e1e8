import { numberOf, uuidOf } from "../identifiers.js";
import { space } from "../space.js";
import type { Text } from "../translated.js";
import { drawChart, drawCover, drawEmblem, drawLighthouse, drawPortrait } from "./drawings.js";
import { encodeGif } from "./gif.js";
import { encodeJpegMosaic } from "./jpeg.js";
import { encodePdf, type PdfMark } from "./pdf.js";
import { encodePng } from "./png.js";

/** A file of the asset library. Its bytes are drawn when they are first asked for. */
export interface DemoAsset {
  id: number;
  /** Absolute, under the invented host of the space. */
  url: string;
  /** Path of {@link url}. */
  path: string;
  type: "image/png" | "image/jpeg" | "image/gif" | "image/svg+xml" | "application/pdf";
  alt: Text;
  /** Focal point as the image service takes it: `x1xy1:x2xy2`. */
  focus?: string;
  bytes(): Uint8Array;
}

/** A file that stories name by its name, as assets.yaml describes it. */
export type CataloguedAsset =
  | { kind: "view" | "portrait" | "lighthouse"; alt: Text }
  | { kind: "chart"; alt: Text; values: readonly number[] }
  | { kind: "emblem"; alt: Text; colour: string }
  | { kind: "leaflet"; alt: Text; title: string; pages: readonly (readonly string[])[] };

/** The file of the library that is described so. */
export function cataloguedAsset(name: string, asset: CataloguedAsset): DemoAsset {
  switch (asset.kind) {
    case "view":
      return view(name, asset.alt);
    case "portrait":
      return portrait(name, asset.alt);
    case "lighthouse":
      return lighthouse(asset.alt);
    case "chart":
      return chart(name, asset.values, asset.alt);
    case "emblem":
      return emblem(name, asset.colour, asset.alt);
    case "leaflet":
      return leaflet(name, asset.title, asset.pages, asset.alt);
  }
}

const library = new Map<string, DemoAsset>();

/** All files that the stories name, by path. */
export function assetLibrary(): ReadonlyMap<string, DemoAsset> {
  return library;
}

/** The cover of a book, 120 by 168 pixels. */
export function cover(slug: string, alt: Text): DemoAsset {
  return add("120x168", `cover-${slug}.png`, "image/png", alt, () => encodePng(drawCover(slug, 120, 168)));
}

/** A wide picture, 320 by 180 pixels. */
export function view(slug: string, alt: Text): DemoAsset {
  const focus = `${140 + (numberOf(slug) % 40)}x80:${141 + (numberOf(slug) % 40)}x81`;
  return add("320x180", `${slug}.png`, "image/png", alt, () => encodePng(drawCover(slug, 320, 180)), focus);
}

/** A portrait as a mosaic, 192 by 192 pixels. */
export function portrait(slug: string, alt: Text): DemoAsset {
  return add("192x192", `${slug}.jpg`, "image/jpeg", alt, () => encodeJpegMosaic(drawPortrait(slug, 24, 24)));
}

/** A chart of bars, 240 by 120 pixels. */
export function chart(slug: string, values: readonly number[], alt: Text): DemoAsset {
  return add("240x120", `${slug}.png`, "image/png", alt, () => encodePng(drawChart(values, 240, 120)));
}

/** The lighthouse, turning. */
function lighthouse(alt: Text): DemoAsset {
  return add("96x96", "lighthouse.gif", "image/gif", alt, () =>
    encodeGif(
      [0, 1, 2, 3, 4, 5].map((turn) => drawLighthouse(turn / 6, 96, 96)),
      25,
    ),
  );
}

/** The lamp of the press as a drawing. */
export function emblem(name: string, colour: string, alt: Text): DemoAsset {
  return add("x", `${name}.svg`, "image/svg+xml", alt, () => Buffer.from(drawEmblem(colour, "Lumen Press")));
}

/** A leaflet: a title page and pages of lines. */
export function leaflet(name: string, title: string, pages: readonly (readonly string[])[], alt: Text): DemoAsset {
  const front: PdfMark[] = [
    { x: 0, y: 0, width: 420, height: 595, colour: [0.98, 0.96, 0.9] },
    { x: 0, y: 470, width: 420, height: 125, colour: [0.1, 0.13, 0.3] },
    { x: 40, y: 440, width: 90, height: 6, colour: [0.95, 0.75, 0.3] },
    { text: title, x: 40, y: 395, size: 24, bold: true },
    { text: "Lumen Press, The Old Lamp Works", x: 40, y: 60, size: 10, grey: 0.35 },
  ];
  const inside = pages.map((lines): PdfMark[] => [
    { x: 40, y: 548, width: 340, height: 1, colour: [0.1, 0.13, 0.3] },
    ...lines.map((text, line): PdfMark => ({ text, x: 40, y: 520 - line * 18, size: 11, bold: line === 0 })),
  ]);
  return add("x", `${name}.pdf`, "application/pdf", alt, () => encodePdf(title, [front, ...inside]));
}

function add(
  dimensions: string,
  name: string,
  type: DemoAsset["type"],
  alt: Text,
  draw: () => Uint8Array,
  focus?: string,
): DemoAsset {
  const path = `/f/${space.id}/${dimensions}/${uuidOf(`asset ${name}`).replaceAll("-", "").slice(0, 10)}/${name}`;
  const known = library.get(path);
  if (known !== undefined) return known;
  let drawn: Uint8Array | undefined;
  const file: DemoAsset = {
    id: 9_000_000 + (numberOf(`asset ${path}`) % 8_000_000),
    url: `https://${space.assetHost}${path}`,
    path,
    type,
    alt,
    ...(focus === undefined ? {} : { focus }),
    bytes: () => (drawn ??= draw()),
  };
  library.set(path, file);
  return file;
}
