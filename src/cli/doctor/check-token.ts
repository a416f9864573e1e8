import type { Config } from "../../config/config.js";
import { isLoopbackHost } from "../../lib/loopback.js";
import { demoSource } from "../../sync/space-identity.js";
import { isAnswered, type UpstreamFacts } from "./ask-upstream.js";
import { type Finding, finding } from "./diagnosis-finding.js";

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
