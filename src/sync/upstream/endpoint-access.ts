import type { ManagementSetting } from "../../config/config.js";
import type { Endpoint } from "../../contract/endpoint.js";
import { endpoints } from "../../contract/endpoints.js";
import { OffprintError } from "../../lib/errors.js";
import { redact } from "../../lib/redact/redact.js";

export interface EndpointAccess {
  base: URL;
  /** Sent as a query parameter. */
  token?: string;
  headers: Readonly<Record<string, string>>;
}

/** @throws OffprintError CONFIG_INVALID if the setting's value is not an http(s) URL */
export function baseUrl(text: string, setting: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === "https:" || url.protocol === "http:")) return url;
  throw new OffprintError("CONFIG_INVALID", `${setting} is not a web address: ${redact(text)}`, {
    hint: "Use an address such as https://host, without a path of the interface.",
  });
}

/** The management interface, with the personal token; undefined if that is not configured. */
export function personalAccess(management: ManagementSetting | undefined): EndpointAccess | undefined {
  if (management?.url === undefined || management.token === undefined) return undefined;
  return { base: baseUrl(management.url, "source.management.url"), headers: { authorization: management.token } };
}

/** OAuth at `oauthUrl`, else at the management address, personal or `Bearer`. @throws OffprintError CONFIG_INVALID */
export function spaceInfoAccess(management: ManagementSetting | undefined): {
  endpoint: Endpoint;
  access: EndpointAccess;
} {
  const { url, oauthUrl, oauthToken } = management ?? {};
  const bearer = { authorization: `Bearer ${oauthToken}` };
  if (oauthUrl !== undefined && oauthToken !== undefined) {
    const access = { base: baseUrl(oauthUrl, "source.management.oauthUrl"), headers: bearer };
    return { endpoint: endpoints.oauthSpaceInfo, access };
  }
  const personal = personalAccess(management);
  if (personal !== undefined) return { endpoint: endpoints.spaceInfo, access: personal };
  if (url === undefined || oauthToken === undefined) throw unconfigured("url and token, or oauthUrl and oauthToken");
  return { endpoint: endpoints.spaceInfo, access: { base: baseUrl(url, "source.management.url"), headers: bearer } };
}

export function unconfigured(what: string): OffprintError {
  return new OffprintError("CONFIG_INVALID", `A management read needs source.management.${what}.`, {
    hint: "Add them to sync.config.yaml, or leave source.management out.",
  });
}
