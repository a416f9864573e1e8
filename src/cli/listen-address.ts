import { OffprintError } from "../lib/errors.js";

/** Parses `127.0.0.1:4480`, `[::1]:4480`, `localhost:0`, or a port of 127.0.0.1. @throws OffprintError `USAGE` */
export function listenAddress(text: string): { host: string; port: number } {
  const [, bracketed, name, written = ""] =
    /^(?:(?:\[([\da-fA-F:.]+)\]|([^:\s/]+)):)?(\d{1,5})$/.exec(text.trim()) ?? [];
  const port = Number(written);
  if (written !== "" && port <= 65_535) return { host: bracketed ?? name ?? "127.0.0.1", port };
  throw new OffprintError("USAGE", `--listen ${text} is not an address with a port.`, {
    hint: "Write --listen 127.0.0.1:4480, or a port alone.",
  });
}
