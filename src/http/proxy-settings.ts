import { OffprintError } from "../errors.js";

/** The proxies that the environment names; an empty text: none for that protocol. */
export interface ProxySettings {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in lower case first.
 *
 * @returns undefined where no proxy is named
 * @throws OffprintError CONFIG_INVALID when a proxy variable holds no URL
 */
export function proxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings | undefined {
  const read = (name: string): string => env[name.toLowerCase()] || env[name] || "";
  const httpProxy = proxyUrl("HTTP_PROXY", read("HTTP_PROXY"));
  const httpsProxy = proxyUrl("HTTPS_PROXY", read("HTTPS_PROXY"));
  if (httpProxy === "" && httpsProxy === "") return undefined;
  return { httpProxy, httpsProxy, noProxy: read("NO_PROXY") };
}

function proxyUrl(name: string, value: string): string {
  if (value === "") return "";
  const url = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(url)) return url;
  throw new OffprintError("CONFIG_INVALID", `${name} holds no URL.`, {
    hint: "Set it to http://host:port, or unset it.",
  });
}
