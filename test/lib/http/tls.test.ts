import { Agent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { createTransport } from "../../../src/lib/http/transport.js";
import { certificates, startTlsServer } from "../../support/tls-server.js";

/** @param ca a certificate that this process trusts beside those of Node */
async function hintAgainst(certificate: keyof typeof certificates, ca?: string): Promise<unknown> {
  const openAgent = (options: Agent.Options) => new Agent({ ...options, connect: { ...options.connect, ca } });
  const transport = createTransport({ env: {}, openAgent: openAgent as never });
  onTestFinished(() => transport.close());
  const url = new URL(await startTlsServer(certificate));
  const limits = { timeoutMs: 5000, idleMs: 5000, maxBytes: 1000 };
  return transport.request(url, limits).then(
    ({ status }) => status,
    ({ code, hint, retriable }) => ({ code, hint, retriable }),
  );
}

const code = "UPSTREAM_UNREACHABLE";

test("a certificate of a private authority asks for NODE_EXTRA_CA_CERTS", async () => {
  const hint = expect.stringContaining("set NODE_EXTRA_CA_CERTS");
  expect(await hintAgainst("private")).toEqual({ code, hint, retriable: false });
});

test("one that this process trusts is accepted", async () => {
  expect(await hintAgainst("private", certificates.private)).toBe(200);
});

test("one that has expired asks for the clock, and for a new certificate", async () => {
  const hint = "Check this machine's clock, then the server's certificate.";
  expect(await hintAgainst("expired", certificates.expired)).toEqual({ code, hint, retriable: false });
});
