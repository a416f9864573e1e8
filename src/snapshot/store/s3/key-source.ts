import { readFile } from "node:fs/promises";
import { OffprintError } from "../../../lib/errors.js";
import { errnoOf } from "../file-error.js";
import type { Credentials } from "./credentials.js";

/** A key that ends, as roles have them. */
export interface TemporaryKey extends Credentials {
  /** By the issuer's clock, in milliseconds since the epoch; Infinity: it does not end. */
  untilMs: number;
}

/** One way to a key: what to send, and how to read the answer. */
export interface KeySource {
  /** Completes "… answered with". */
  issuer: string;
  /** What to check if it refuses. */
  hint: string;
  request(): Promise<KeyRequest>;
  read(body: Uint8Array): KeyTexts | undefined;
  /** Code and message of a refusal; "" if the body has none. */
  readRefusal(body: Uint8Array): string;
}

export interface KeyRequest {
  url: URL;
  method: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** What it sends as a proof, for the redaction. */
  secret: string | undefined;
}

/** An answer's fields, as STS and containers name them. */
export interface KeyTexts {
  AccessKeyId: string;
  SecretAccessKey: string;
  SessionToken: string;
  /** ISO 8601; "": it does not end. */
  Expiration: string;
}

/** Undefined if a text is missing or cannot be a header, or the time is none. */
export function temporaryKey(texts: KeyTexts | undefined): TemporaryKey | undefined {
  if (texts === undefined) return undefined;
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken, Expiration } = texts;
  const untilMs = Expiration === "" ? Number.POSITIVE_INFINITY : Date.parse(Expiration);
  const isSound = [accessKeyId, secretAccessKey, sessionToken].every((text) => /^[\x21-\x7e]{1,16384}$/.test(text));
  return isSound && !Number.isNaN(untilMs) ? { accessKeyId, secretAccessKey, sessionToken, untilMs } : undefined;
}

/** The token in the file that a variable names; it is read each time, because it is replaced. */
export async function readTokenFile(variable: string, path: string): Promise<string> {
  const failed = (why: string) =>
    new OffprintError("STORE_CREDENTIALS", `The file of ${variable} ${why}.`, {
      hint: `Check ${variable}, and that this user may read the file. Who started this process should have written a token there.`,
    });
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw failed(`cannot be read (${errnoOf(error) ?? "unknown"})`);
  });
  return checkedToken(text.trim(), () => failed("has no token: it should be one line"));
}

/** @throws what `refuse` returns, unless the token may be sent as a header */
export function checkedToken(token: string, refuse: () => OffprintError): string {
  if (!/^[\x20-\x7e]{1,20000}$/.test(token)) throw refuse();
  return token;
}
