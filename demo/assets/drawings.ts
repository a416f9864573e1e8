import { mix, numberOf } from "../identifiers.js";
import { type Canvas, gradient, paint } from "./canvas.js";

type Colour = [number, number, number];

/** Skies from dusk to noon, each a list of colours from the top down. */
const skies: Colour[][] = [
  [
    [12, 16, 48],
    [64, 50, 110],
    [214, 120, 110],
    [250, 214, 150],
  ],
  [
    [8, 38, 64],
    [24, 96, 120],
    [120, 190, 180],
    [240, 236, 200],
  ],
  [
    [34, 12, 40],
    [120, 30, 62],
    [226, 92, 60],
    [252, 206, 110],
  ],
  [
    [10, 40, 34],
    [38, 104, 74],
    [140, 178, 96],
    [240, 234, 176],
  ],
  [
    [30, 34, 44],
    [84, 96, 112],
    [160, 170, 176],
    [234, 230, 220],
  ],
  [
    [16, 10, 60],
    [50, 60, 160],
    [110, 160, 220],
    [230, 240, 250],
  ],
];

const inkIndex = 60;
const paperIndex = 61;
const palette = (sky: number): Colour[] => [
  ...gradient(60, ...(skies[sky % skies.length] ?? [])),
  [18, 20, 28],
  [250, 246, 232],
  [255, 220, 120],
];
const lampIndex = 62;

/** A cover: a sky, a sun or moon in it, a range of hills, and a band of paper for the title. */
export function drawCover(name: string, width: number, height: number): Canvas {
  const seed = numberOf(name);
  const sunX = width * (0.25 + (seed % 50) / 100);
  const sunY = height * (0.2 + (mix(seed, 1) % 30) / 100);
  const radius = width * (0.08 + (mix(seed, 2) % 12) / 100);
  const ridge = (x: number, n: number) =>
    height * (0.62 + 0.1 * n) +
    Math.sin((x / width) * (4 + (mix(seed, n) % 5)) + (mix(seed, n + 3) % 6)) * height * 0.05 +
    Math.sin((x / width) * 17 + n) * height * 0.012;
  const ridges = [0, 1, 2].map((n) => Float64Array.from({ length: width }, (_, x) => ridge(x, n)));
  const below = (x: number, y: number, n: number) => y > (ridges[n]?.[x] ?? height);
  return paint(width, height, palette(mix(seed, 9)), (x, y) => {
    if (y > height * 0.9) return paperIndex;
    if (below(x, y, 2)) return inkIndex;
    if (below(x, y, 1)) return 8;
    if (below(x, y, 0)) return 20;
    if ((x - sunX) ** 2 + (y - sunY) ** 2 < radius ** 2) return paperIndex;
    return (y / height) * 75;
  });
}

/** A chart of bars on paper. */
export function drawChart(values: readonly number[], width: number, height: number): Canvas {
  const slot = width / values.length;
  const most = Math.max(...values);
  return paint(width, height, palette(5), (x, y) => {
    const value = values[Math.floor(x / slot)] ?? 0;
    const within = x % slot > slot * 0.18 && x % slot < slot * 0.82;
    if (y === height - 8 || (within && y < height - 8 && height - 8 - y < (value / most) * (height - 24))) {
      return y === height - 8 ? inkIndex : 10 + (value / most) * 40;
    }
    return paperIndex;
  });
}

/** A night sky with stars and a lighthouse; `beam` (0 to 1) is how far the lamp has turned. */
export function drawLighthouse(beam: number, width: number, height: number): Canvas {
  const towerX = width * 0.3;
  const lampY = height * 0.32;
  const angle = beam * Math.PI * 2;
  return paint(width, height, palette(0), (x, y) => {
    if (y > height * 0.82) return mix(x >> 2, y) % 5 === 0 ? 22 : 12;
    if (Math.abs(x - towerX) < 3 + (y - lampY) * 0.05 && y > lampY) return (y >> 3) % 2 === 0 ? paperIndex : 42;
    if ((x - towerX) ** 2 + (y - lampY) ** 2 < 16) return lampIndex;
    const turned = Math.abs(
      Math.atan2(
        Math.sin(Math.atan2(y - lampY, x - towerX) - angle),
        Math.cos(Math.atan2(y - lampY, x - towerX) - angle),
      ),
    );
    if (turned < 0.12) return lampIndex;
    return mix(x, y * 977) % 211 === 0 ? paperIndex : (y / height) * 24;
  });
}

/** A portrait without a face: a bust before a coloured ground, to be recognised in a mosaic. */
export function drawPortrait(name: string, width: number, height: number): Canvas {
  const seed = numberOf(name);
  return paint(width, height, palette(seed), (x, y) => {
    const dx = (x - width / 2) / width;
    const dy = (y - height * 0.4) / height;
    if (dx ** 2 / 0.03 + dy ** 2 / 0.045 < 1) return 48 + (mix(seed, x + y) % 6);
    if (dx ** 2 / 0.14 + ((y - height) / height) ** 2 / 0.16 < 1) return 14 + (mix(seed, x * y) % 4);
    return 24 + (y / height) * 20 + (mix(x, y + seed) % 3);
  });
}

/** The lamp of the press as a drawing of lines. */
export function drawEmblem(colour: string, label: string): string {
  const rays = Array.from({ length: 12 }, (_, n) => {
    const angle = (n * Math.PI) / 6;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    const at = (radius: number, part: number) => (60 + part * radius).toFixed(1);
    return `<line x1="${at(40, x)}" y1="${at(40, y)}" x2="${at(52, x)}" y2="${at(52, y)}"/>`;
  }).join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120" role="img" aria-label="${label}">` +
    `<g fill="none" stroke="${colour}" stroke-width="4" stroke-linecap="round">` +
    `<circle cx="60" cy="60" r="30"/><path d="M50 78h20M52 84h16M60 78V58l-8-8m8 8 8-8"/>${rays}</g></svg>\n`
  );
}
