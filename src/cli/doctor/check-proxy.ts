import { isOffprintError } from "../../lib/errors.js";
import { ignoredProxy, proxySettings } from "../../lib/http/proxy-settings.js";
import { isLoopbackHost } from "../../lib/loopback.js";
import { type Finding, finding } from "./diagnosis-finding.js";

/** Checks the proxy variables of the environment. @param url address of the upstream; undefined if unknown */
export function checkProxy(env: Readonly<Record<string, string | undefined>>, url: string | undefined): Finding[] {
  const settings = settingsOf(env);
  if ("problem" in settings) return [settings.problem];
  const { proxies } = settings;
  if (proxies === undefined) return [withoutProxy(env)];
  const upstream = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  if (upstream === undefined || upstream.protocol === "demo:") return [notUsed("the demo space lies on this machine")];
  if (isLoopbackHost(upstream.hostname)) return [notUsed(`${upstream.host} is this machine`)];
  const isSecure = upstream.protocol === "https:";
  const proxy = isSecure ? proxies.httpsProxy || proxies.httpProxy : proxies.httpProxy;
  if (proxy === "") return [notUsed(`none is set for ${upstream.protocol.slice(0, -1)}`)];
  const exception = exceptionFor(proxies.noProxy, upstream);
  if (exception !== undefined) return [notUsed(`NO_PROXY has ${exception}`)];
  const hint = "It has to let requests to this host pass; NO_PROXY names hosts that are asked directly.";
  // Only host and port: a proxy's address may contain a password.
  const { host } = new URL(proxy.includes("://") ? proxy : `http://${proxy}`);
  return [finding("PROXY_USED", `Requests to ${upstream.host} go through ${host}.`, hint)];
}

function withoutProxy(env: Readonly<Record<string, string | undefined>>): Finding {
  const name = ignoredProxy(env);
  if (name === undefined) return finding("PROXY_NONE", "No proxy is set.");
  return finding("PROXY_IGNORED", `${name} is set, and not read.`, "Set HTTPS_PROXY to the address of an HTTP proxy.");
}

function notUsed(why: string): Finding {
  return finding("PROXY_BYPASSED", `A proxy is set and not used for the upstream: ${why}.`);
}

function settingsOf(env: Readonly<Record<string, string | undefined>>) {
  try {
    return { proxies: proxySettings(env) };
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    return { problem: finding("PROXY_INVALID", error.message, error.hint) };
  }
}

/** The entry of NO_PROXY that covers a host, by undici's rules: a domain includes its subdomains. */
function exceptionFor(noProxy: string, { hostname, port, protocol }: URL): string | undefined {
  if (noProxy === "*") return noProxy;
  const ownPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return noProxy.split(/[\s,]+/).find((entry) => {
    const [, name = "", entryPort = ownPort] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    return name !== "" && entryPort === ownPort && (hostname === name || hostname.endsWith(`.${name}`));
  });
}
