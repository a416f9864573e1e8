import type { Shape } from "./shape.js";

/** A JSON text, or its bytes, of this shape; undefined for anything else. */
export function parseAs<T>(json: string | Uint8Array | undefined, shape: Shape<T>): T | undefined {
  try {
    const value: unknown = JSON.parse(typeof json === "string" ? json : Buffer.from(json ?? []).toString());
    return shape.is(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
