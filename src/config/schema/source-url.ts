import { isLoopbackHost } from "../../lib/loopback.js";
import type { Misfit, Reading, ValueKind } from "./value-kinds.js";
import { misfit } from "./value-kinds.js";

const demoUrl = "demo:";

/** The token of the demo space: public, and valid for no other space. */
export const demoToken = "demo";

export function isDemoUrl(input: unknown): boolean {
  const reading = sourceUrl.read(input);
  return "value" in reading && reading.value === demoUrl;
}

/** True if the demo token would go to another host: a placeholder, not to be sent. False for this machine. */
export function isDemoTokenElsewhere(url: unknown, token: unknown): boolean {
  if (typeof token !== "string" || token.trim() !== demoToken) return false;
  if (url === undefined) return true;
  const reading = sourceUrl.read(url);
  return "value" in reading && reading.value !== demoUrl && !isLoopbackHost(new URL(reading.value).hostname);
}

const expects = "an address such as https://api.example.com, or demo:";

/** An origin, or `demo:`. Removes `/v2/cdn`. Plain `http:` only on this machine: others could read the token. */
export const sourceUrl: ValueKind<string> = {
  schema: { type: "string", examples: ["https://api.example.com", demoUrl] },
  read: (input) => readUrl(input, /^\/+$|^\/*(?:\/v2)?\/cdn\/*$/),
};

/** The origin of a management API. Removes the path prefixes `/v1` and `/oauth`. */
export const managementUrl: ValueKind<string> = {
  schema: { type: "string", format: "uri" },
  read: (input) => {
    const reading = readUrl(input, /^\/+$|^\/*\/(?:v1|oauth)\/*$/);
    return "value" in reading && reading.value === demoUrl
      ? misfit("an address such as https://api.example.com")
      : reading;
  },
};

/** The address of a site, perhaps with a path. Removes slashes at its end. */
export const siteUrl: ValueKind<string> = {
  schema: { type: "string", format: "uri", examples: ["https://www.example.com"] },
  read: (input) => {
    const written = typeof input === "string" ? input.trim() : "";
    const url = URL.canParse(written) ? new URL(written) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      return misfit("an http(s) address such as https://www.example.com", withScheme(written));
    }
    if (url.username + url.password + url.search + url.hash !== "") {
      const hint = `Write ${url.origin}${url.pathname.replace(/\/+$/, "")} only.`;
      return misfit("an address without user name, password, ? and #", hint);
    }
    return { value: url.href.replace(/\/+$/, "") };
  },
};

function readUrl(input: unknown, prefix: RegExp): Reading<string> {
  const written = typeof input === "string" ? input.trim() : "";
  if (written === demoUrl || written === "demo") return { value: demoUrl };
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return misfit(expects, withScheme(written));
  }
  const problem = urlProblem(url, prefix);
  return problem === undefined ? { value: url.origin } : { misfits: [problem] };
}

function urlProblem(url: URL, prefix: RegExp): Misfit | undefined {
  if (url.username !== "" || url.password !== "") {
    return { expects: "an address without user name and password", path: [], hint: "A token belongs in source.token." };
  }
  if (url.search !== "" || url.hash !== "") {
    return { expects: "an address without ? and #", path: [], hint: `Write ${url.origin} only.` };
  }
  if (url.pathname !== "/" && !prefix.test(url.pathname)) {
    return { expects: "an address without a path", path: [], hint: `Write ${url.origin} only.` };
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    const hint = "Over http: the token would travel readably; it is allowed for this machine (localhost) only.";
    return { expects: "an https: address", path: [], hint };
  }
  return undefined;
}

function withScheme(written: string): string | undefined {
  return /^[\w.-]+\.[a-z]{2,}(?:[:/]|$)/i.test(written) ? `Did you mean https://${written}?` : undefined;
}
