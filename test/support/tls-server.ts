import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** For these tests alone: no server outside them has it. */
const key = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIIcHLe2/JARDTctEfMFaqqe6/sVfHo9n9Z2nEts98iLioAoGCCqGSM49
AwEHoUQDQgAEb/SdBv4a0vnluP3Wr5sgJkY0g+hdKCKHvL99ESfDy5hFQLgz0540
ZStP0XWiMRhH1txi9zFw9F4l/4AIdyfXFg==
-----END EC PRIVATE KEY-----`;

/** Of localhost and 127.0.0.1, signed by {@link key} itself: until 2120, and until 2021. */
export const certificates = {
  private: `-----BEGIN CERTIFICATE-----
MIIBYzCCAQqgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABG/0nQb+GtL55bj9
1q+bICZGNIPoXSgih7y/fREnw8uYRUC4M9OeNGUrT9F1ojEYR9bcYvcxcPReJf+A
CHcn1xajSzBJMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAMBgNVHRMEBTAD
AQH/MB0GA1UdDgQWBBRUcFOHIX2o5I16EaRbPalwvmEbNDAKBggqhkjOPQQDAgNH
ADBEAiARxCU5kkqGeb1UM+6jBPUlYTfjkIJgFtIUIpQ+9v4W1gIgOgVvE26BClcI
zu6reE0MDtnOeAS6CmuHJdt6p/uKM9E=
-----END CERTIFICATE-----`,
  expired: `-----BEGIN CERTIFICATE-----
MIIBYjCCAQigAwIBAgIBAjAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARv9J0G/hrS+eW4/dav
myAmRjSD6F0oIoe8v30RJ8PLmEVAuDPTnjRlK0/RdaIxGEfW3GL3MXD0XiX/gAh3
J9cWo0swSTAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwDAYDVR0TBAUwAwEB
/zAdBgNVHQ4EFgQUVHBThyF9qOSNehGkWz2pcL5hGzQwCgYIKoZIzj0EAwIDSAAw
RQIhAK22vWX+tJwhguR6kLtY0M3SU+nd8xWjxIFPT05rcn3BAiAtTz3Ucn68siRt
dg+c/Ul7AZB8L57ocypRljbZFdnkbA==
-----END CERTIFICATE-----`,
};

/** A server on a free loopback port that shows a certificate. @returns its origin */
export async function startTlsServer(certificate: keyof typeof certificates): Promise<string> {
  const server = createServer({ key, cert: certificates[certificate] }, (_, response) => void response.end("{}"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close().closeAllConnections());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
