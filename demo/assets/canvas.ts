/** A small picture of at most 128 colours: one palette index a pixel, rows from the top. */
export interface Canvas {
  width: number;
  height: number;
  /** Red, green and blue of each colour, 0 to 255. */
  palette: [number, number, number][];
  pixels: Uint8Array;
}

/** Paints a picture by asking for the palette index of every pixel. */
export function paint(
  width: number,
  height: number,
  palette: [number, number, number][],
  colourAt: (x: number, y: number) => number,
): Canvas {
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = Math.min(palette.length - 1, Math.max(0, colourAt(x, y) | 0));
  }
  return { width, height, palette, pixels };
}

/** Colours from one to the next through all the stops, evenly spread. */
export function gradient(count: number, ...stops: [number, number, number][]): [number, number, number][] {
  return Array.from({ length: count }, (_, index) => {
    const at = (index / Math.max(1, count - 1)) * (stops.length - 1);
    const from = stops[Math.floor(at)] ?? [0, 0, 0];
    const to = stops[Math.min(stops.length - 1, Math.floor(at) + 1)] ?? from;
    const share = at - Math.floor(at);
    const blend = (a: number, b: number) => Math.round(a + (b - a) * share);
    return [blend(from[0], to[0]), blend(from[1], to[1]), blend(from[2], to[2])];
  });
}
