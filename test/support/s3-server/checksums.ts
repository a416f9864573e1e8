import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { S3Error } from "./s3-error.js";
import type { S3Request } from "./s3-request.js";

/** @throws S3Error where the body is not what the request says of it, by `Content-MD5` or `x-amz-checksum-…` */
export function checkBody({ headers, body }: S3Request, checksChecksums: boolean): void {
  const md5 = headers.get("content-md5");
  if (md5 !== undefined) {
    const said = Buffer.from(md5, "base64");
    if (said.length !== 16) throw new S3Error("InvalidDigest", "The Content-MD5 you specified was invalid.");
    if (!said.equals(createHash("md5").update(body).digest())) {
      throw new S3Error("BadDigest", "The Content-MD5 you specified did not match what we received.", {
        ExpectedDigest: said.toString("hex"),
        CalculatedDigest: createHash("md5").update(body).digest("base64"),
      });
    }
  }
  for (const [name, said] of headers) {
    const kind = /^x-amz-checksum-(?!algorithm$|type$)(.*)$/.exec(name)?.[1];
    if (kind !== undefined && checksChecksums) checkOne(kind, said, body);
  }
}

function checkOne(kind: string, said: string, body: Buffer): void {
  const count = counters[kind];
  if (count === undefined) throw new S3Error("NotImplemented", `This server does not count ${kind}.`);
  if (count(body).toString("base64") === said) return;
  if (Buffer.from(said, "base64").toString("base64") !== said) {
    throw new S3Error("InvalidRequest", `Value for x-amz-checksum-${kind} header is invalid.`);
  }
  const name = kind.toUpperCase();
  throw new S3Error("BadDigest", `The ${name} you specified did not match the calculated checksum.`);
}

const counters: Record<string, (body: Buffer) => Buffer> = {
  crc32: (body) => bigEndian(crc32(body)),
  crc32c: (body) => bigEndian(crc32c(body)),
  sha1: (body) => createHash("sha1").update(body).digest(),
  sha256: (body) => createHash("sha256").update(body).digest(),
};

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

/** The remainder of every byte by the polynomial of Castagnoli, bits reversed (RFC 3720, appendix B.4). */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0x82f63b78 : rest >>> 1;
  return rest >>> 0;
});

function crc32c(body: Buffer): number {
  let rest = 0xffffffff;
  for (const byte of body) rest = (rest >>> 8) ^ (remainders[(rest ^ byte) & 0xff] ?? 0);
  return ~rest;
}
