import { InvalidArgumentError } from "commander";
import { largestDepth } from "../config/schema/content-schema.js";
import { parseDurationWithUnit } from "../config/schema/quantity.js";
import { OffprintError } from "../lib/errors.js";

export function collectNames(value: string, before: string[] = []): string[] {
  const names = value.split(",").map((name) => name.trim());
  return [...new Set([...before, ...names.filter((name) => name !== "")])];
}

export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** `3/30` or `today/30` */
export function parseVerifyPart(text: string): { number: number | "today"; of: number } {
  const [, which, count] = /^(today|[1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  const of = Number(count);
  if (which === "today") return { number: which, of };
  if (Number(which) <= of) return { number: Number(which), of };
  throw new InvalidArgumentError("Expected a part such as 3/30 or today/30.");
}

export function parseGeneration(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("Expected the number of a generation.");
  return Number(text);
}

/** A number, or the text of a time, which is parsed where the generations are known. */
export function parseGenerationOrTime(text: string): number | string {
  return /^\d+$/.test(text) ? parseGeneration(text) : text;
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("Expected a number from 0 to 65535.");
  return port;
}

export function parseDepth(text: string): number {
  const depth = Number(text);
  if (!/^\d+$/.test(text) || depth > largestDepth) {
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${largestDepth}.`);
  }
  return depth;
}

export function parseAge(text: string): number {
  const age = parseDurationWithUnit(text);
  if (age === undefined) throw new InvalidArgumentError("Expected a time such as 90m or 24h.");
  return age;
}

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
