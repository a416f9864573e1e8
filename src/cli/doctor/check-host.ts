import { hostsOfOrigin, regionHosts, regions } from "../../config/region-hosts.js";
import { isAnswered, type UpstreamFacts } from "./ask-upstream.js";
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
