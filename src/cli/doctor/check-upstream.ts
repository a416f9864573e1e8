import type { Config } from "../../config/config.js";
import { hostsOfOrigin, regionHosts, regions } from "../../config/schema/region-hosts.js";
import { isLoopbackHost } from "../../lib/loopback.js";
import { namedLanguages, unlistedLanguages } from "../../sync/listed-languages.js";
import { demoSource } from "../../sync/space-identity.js";
import { isAnswered, languagesOf, type UpstreamFacts } from "./ask-upstream.js";
import { type Finding, finding } from "./diagnosis-finding.js";

export function checkHost({ origin, published }: UpstreamFacts): Finding[] {
  const { status, failure, movedToOrigin, isJson } = published;
  const region = regionOf(origin);
  const name = region === undefined ? origin : `${origin} (region ${region})`;
  if (failure !== undefined) {
    const hint = failure.hint || "Check source.url or source.region, the network, and the proxy.";
    return [finding("HOST_UNREACHABLE", failure.message, hint)];
  }
  if (movedToOrigin !== undefined) {
    const hint = `Set source.url to ${movedToOrigin}${otherRegion(movedToOrigin)}, and use a token of that region.`;
    return [finding("HOST_ELSEWHERE", `${name} sends to ${movedToOrigin}.`, hint)];
  }
  if (isAnswered(published) || ((status === 401 || status === 403) && isJson)) {
    return [finding("HOST_OK", `${name} answers.`)];
  }
  if (status !== undefined && (status === 429 || status >= 500)) {
    const hint = status === 429 ? "Another process may use the same token." : "Try again later.";
    return [finding("HOST_FAILING", `${name} answers ${status}.`, hint)];
  }
  const hint = "Check source.url or source.region: host and path have to be those of the content delivery interface.";
  const what = isJson ? "" : ", and not as JSON";
  return [finding("HOST_NOT_INTERFACE", `${name} answers ${status}${what}: it is not the content interface.`, hint)];
}

function regionOf(origin: string): string | undefined {
  return regions.find((region) => `https://${regionHosts(region).cdn}` === origin);
}

function otherRegion(origin: string): string {
  return hostsOfOrigin(origin) === undefined ? "" : ` (source.region: ${regionOf(origin)})`;
}

/** Compares what the token may read with what the configuration needs. Finds nothing if that is unknown. */
export function checkToken({ published, draft, origin }: UpstreamFacts, { source }: Pick<Config, "source">): Finding[] {
  if (published.status === 401 || published.status === 403) {
    const hint =
      "Copy it again from the settings of the space. A token of another region is refused in the same way: check source.region.";
    return [finding("TOKEN_REFUSED", `The token is refused (${published.status}).`, hint)];
  }
  if (!isAnswered(published) || draft === undefined) return [];
  return [...checkAddress(origin), draftFinding(isAnswered(draft), draft.status, source)];
}

function checkAddress(origin: string): Finding[] {
  const { protocol, hostname } = new URL(origin);
  if (protocol !== "http:" || isLoopbackHost(hostname)) return [];
  const what = `The token is sent to ${origin} readable by everybody on the way.`;
  return [finding("TOKEN_PUBLIC_ADDRESS", what, "Use https.")];
}

function draftFinding(readsDrafts: boolean, status: number | undefined, source: Config["source"]): Finding {
  const asking = [
    ...(source.versions.includes("draft") ? ["source.versions"] : []),
    ...(source.releases.length > 0 ? ["source.releases"] : []),
  ];
  if (readsDrafts) {
    // The demo space has no secrets.
    if (asking.length > 0 || source.url === demoSource)
      return finding("TOKEN_OK", "The token reads drafts and what is published.");
    const hint = "A public token would do, and can leak nothing that is not published.";
    return finding("TOKEN_READS_DRAFTS", "The token reads drafts, which the configuration does not ask for.", hint);
  }
  if (asking.length === 0) return finding("TOKEN_OK", "The token reads what is published.");
  const refused = status === undefined ? "did not come" : `answered ${status}`;
  const hint = "Set source.token to a preview token, or leave drafts and releases out.";
  return finding("TOKEN_WITHOUT_DRAFTS", `${asking.join(" and ")} need drafts; the request for one ${refused}.`, hint);
}

/** Compares the configured languages with those the space lists. @param before those listed at the last generation */
export function checkSpaceLanguages(
  upstream: UpstreamFacts,
  { source }: Pick<Config, "source">,
  before: readonly string[] = [],
): Finding[] {
  const named = namedLanguages(source);
  if (named.length === 0 || upstream.space === undefined) return [];
  const listed = languagesOf(upstream);
  if (listed === undefined) {
    const hint = "Compare source.languages with the languages of the space.";
    return [finding("LANGUAGES_UNLISTED", `The upstream does not list its languages: ${named.join(", ")}?`, hint)];
  }
  const unlisted = unlistedLanguages(source, listed);
  if (unlisted.length === 0) return [finding("LANGUAGES_OK", `The space has ${named.join(", ")}.`)];
  return unlisted.map(({ code, message, hint }) =>
    finding(before.includes(code) ? "LANGUAGE_GONE" : "LANGUAGE_UNKNOWN", message, hint),
  );
}

const largestSkewMs = 60_000;

export function checkClock({ published: { status, skewMs } }: Pick<UpstreamFacts, "published">): Finding[] {
  if (status === undefined) return [];
  if (skewMs === undefined) return [finding("CLOCK_UNKNOWN", "The upstream does not say its time.")];
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= largestSkewMs) {
    return [finding("CLOCK_OK", `The clock agrees with that of the upstream${seconds > 1 ? ` to ${seconds} s` : ""}.`)];
  }
  const way = skewMs > 0 ? "behind" : "ahead of";
  const hint = "Let the machine keep its time (NTP). Ages, locks and signed webhooks are judged by it.";
  return [finding("CLOCK_SKEWED", `The clock of this machine is ${seconds} s ${way} that of the upstream.`, hint)];
}
