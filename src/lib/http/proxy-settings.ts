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
 * @throws OffprintError CONFIG_INVALID when a proxy variable holds no URL, or one of a proxy that is no HTTP proxy
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
  const hint = "Set it to http://host:port, or unset it.";
  if (!URL.canParse(url)) throw new OffprintError("CONFIG_INVALID", `${name} holds no URL.`, { hint });
  const { protocol } = new URL(url);
  if (protocol === "http:" || protocol === "https:") return url;
  // The scheme alone: the address may hold a password.
  throw new OffprintError("CONFIG_INVALID", `${name} names a proxy of ${protocol}//, which is not supported.`, {
    hint,
  });
}

/**
 * The variable that other programs read a proxy from and this one does not, where it is the only one that is set:
 * `ALL_PROXY` in either case. Undefined if requests go as the environment says.
 */
export function ignoredProxy(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const name = ["ALL_PROXY", "all_proxy"].find((one) => (env[one] ?? "") !== "");
  const isReplaced = ["HTTP_PROXY", "HTTPS_PROXY"].some((one) => (env[one] || env[one.toLowerCase()] || "") !== "");
  return isReplaced ? undefined : name;
}
