import { OffprintError } from "../errors.js";

/** The proxies of the environment; "" if none for that protocol. */
export interface ProxySettings {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

/** The lower-case names win. @throws OffprintError `CONFIG_INVALID` unless it is the URL of an HTTP proxy */
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
  if (!URL.canParse(url)) throw new OffprintError("CONFIG_INVALID", `${name} is not a URL.`, { hint });
  const { protocol } = new URL(url);
  if (protocol === "http:" || protocol === "https:") return url;
  // Only the scheme: the address may contain a password.
  throw new OffprintError("CONFIG_INVALID", `${name} is set to a ${protocol}// proxy, which is not supported.`, {
    hint,
  });
}

/** `ALL_PROXY` (either case) if it is the only proxy variable set: this program ignores it. */
export function ignoredProxy(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const name = ["ALL_PROXY", "all_proxy"].find((one) => (env[one] ?? "") !== "");
  const isReplaced = ["HTTP_PROXY", "HTTPS_PROXY"].some((one) => (env[one] || env[one.toLowerCase()] || "") !== "");
  return isReplaced ? undefined : name;
}
