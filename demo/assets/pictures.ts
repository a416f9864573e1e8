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
  focus: string | undefined;
  bytes(): Uint8Array;
}

/** A file as assets.yaml describes it. Content files refer to it by its name. */
export type CataloguedAsset =
  | { kind: "view" | "portrait" | "lighthouse"; alt: Text }
  | { kind: "chart"; alt: Text; values: readonly number[] }
  | { kind: "emblem"; alt: Text; colour: string }
  | { kind: "leaflet"; alt: Text; title: string; pages: readonly (readonly string[])[] };

/** The file of the library that has this name and description. */
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

/** Files by path. A name always stands for the same file: what is described first counts. */
const library = new Map<string, DemoAsset>();

/** All files that were described so far: those that the stories name, once these are built. */
export function assetLibrary(): DemoAsset[] {
  return [...library.values()];
}

/** The cover of a book, 120 by 168 pixels. */
export function cover(slug: string, alt: Text): DemoAsset {
  const bytes = () => encodePng(drawCover(slug, 120, 168));
  return add({ name: `cover-${slug}.png`, dimensions: "120x168", type: "image/png", alt, bytes });
}

/** A wide picture, 320 by 180 pixels. */
export function view(slug: string, alt: Text): DemoAsset {
  const focus = `${140 + (numberOf(slug) % 40)}x80:${141 + (numberOf(slug) % 40)}x81`;
  const bytes = () => encodePng(drawCover(slug, 320, 180));
  return add({ name: `${slug}.png`, dimensions: "320x180", type: "image/png", alt, focus, bytes });
}

/** A portrait as a mosaic, 192 by 192 pixels. */
export function portrait(slug: string, alt: Text): DemoAsset {
  const bytes = () => encodeJpegMosaic(drawPortrait(slug, 24, 24));
  return add({ name: `${slug}.jpg`, dimensions: "192x192", type: "image/jpeg", alt, bytes });
}

/** A chart of bars, 240 by 120 pixels. */
export function chart(slug: string, values: readonly number[], alt: Text): DemoAsset {
  const bytes = () => encodePng(drawChart(values, 240, 120));
  return add({ name: `${slug}.png`, dimensions: "240x120", type: "image/png", alt, bytes });
}

/** The lighthouse, turning. */
function lighthouse(alt: Text): DemoAsset {
  const frames = () => [0, 1, 2, 3, 4, 5].map((turn) => drawLighthouse(turn / 6, 96, 96));
  const bytes = () => encodeGif(frames(), 25);
  return add({ name: "lighthouse.gif", dimensions: "96x96", type: "image/gif", alt, bytes });
}

/** The lamp of the press as a drawing. */
export function emblem(name: string, colour: string, alt: Text): DemoAsset {
  const bytes = () => Buffer.from(drawEmblem(colour, "Lumen Press"));
  return add({ name: `${name}.svg`, dimensions: "x", type: "image/svg+xml", alt, bytes });
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
  const bytes = () => encodePdf(title, [front, ...inside]);
  return add({ name: `${name}.pdf`, dimensions: "x", type: "application/pdf", alt, bytes });
}

/** A file before it has its path; `dimensions` as the path has them: `320x180`, or `x` where there are none. */
interface Drawing extends Pick<DemoAsset, "type" | "alt" | "bytes"> {
  name: string;
  dimensions: string;
  focus?: string;
}

function add({ name, dimensions, type, alt, focus, bytes }: Drawing): DemoAsset {
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
    focus,
    bytes: () => (drawn ??= bytes()),
  };
  library.set(path, file);
  return file;
}
