import type { Env } from "./credentials.js";
import { type KeySource, readTokenFile } from "./key-source.js";
import { readFailure, readRoleCredentials } from "./read-xml.js";

/** Kubernetes (IRSA) and CI runners: a token that STS exchanges for a key. Undefined unless the variables name a role. */
export function webIdentity(env: Env, stsOrigin: () => string): KeySource | undefined {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_SESSION_NAME: session } = env;
  if (!role || !file) return undefined;
  return {
    issuer: "STS",
    hint: "Check AWS_ROLE_ARN, that the role trusts the issuer of the token in AWS_WEB_IDENTITY_TOKEN_FILE, and that the token is current.",
    async request() {
      const token = await readTokenFile("AWS_WEB_IDENTITY_TOKEN_FILE", file);
      const form = new URLSearchParams({
        Action: "AssumeRoleWithWebIdentity",
        Version: "2011-06-15",
        RoleArn: role,
        RoleSessionName: session || "offprint",
        WebIdentityToken: token,
      });
      return {
        url: new URL(`${stsOrigin()}/`),
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
        body: Buffer.from(form.toString()),
        secret: token,
      };
    },
    read: readRoleCredentials,
    readRefusal(body) {
      const { code, message } = readFailure(body);
      return [code, message].filter((part) => part !== "").join(": ");
    },
  };
}
