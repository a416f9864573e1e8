import { OffprintError } from "../lib/errors.js";

/** What a request for a purge needs to know, by provider. */
export interface PurgeOptions {
  /** The route of a Next site that `revalidateRoute` of `offprint/next` answers. */
  next: { url: string; token: string };
  cloudflare: { zone: string; token: string };
  /** `soft`: marks pages as stale instead of removing them. */
  fastly: { service: string; token: string; soft?: boolean };
  netlify: { site: string; token: string };
  vercel: { project: string; team?: string; token: string };
}

/** A request for `fetch(url, request)`. Its headers hold the token: do not log them. */
export interface PurgeRequest {
  url: string;
  method: "POST";
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** How a provider wants to be asked, and how many tags at once. */
interface PurgeForm<Options> {
  /** The options that it cannot do without. */
  needs: readonly (keyof Options)[];
  most: number;
  url(options: Options): string;
  headers?(options: Options): Record<string, string>;
  body(tags: readonly string[], options: Options): object;
}

const forms: { readonly [P in keyof PurgeOptions]: PurgeForm<PurgeOptions[P]> } = {
  next: { needs: ["url", "token"], most: 1_000, url: ({ url }) => url, body: (tags) => ({ tags }) },
  cloudflare: {
    needs: ["zone", "token"],
    most: 100,
    url: ({ zone }) => `https://api.cloudflare.com/client/v4/zones/${encodeURIComponent(zone)}/purge_cache`,
    body: (tags) => ({ tags }),
  },
  fastly: {
    needs: ["service", "token"],
    most: 256,
    url: ({ service }) => `https://api.fastly.com/service/${encodeURIComponent(service)}/purge`,
    headers: ({ token, soft = false }) => ({ "fastly-key": token, ...(soft ? { "fastly-soft-purge": "1" } : {}) }),
    body: (tags) => ({ surrogate_keys: tags }),
  },
  netlify: {
    needs: ["site", "token"],
    most: 100,
    url: () => "https://api.netlify.com/api/v1/purge",
    body: (tags, { site }) => ({ site_id: site, cache_tags: tags }),
  },
  vercel: {
    needs: ["project", "token"],
    most: 16,
    url({ project, team }) {
      const query = new URLSearchParams({ projectIdOrName: project, ...(team === undefined ? {} : { teamId: team }) });
      return `https://api.vercel.com/v1/edge-cache/invalidate-by-tags?${query}`;
    },
    body: (tags) => ({ tags }),
  },
};

/**
 * The requests that purge the pages with these tags: those that `offprint changes` names. Sends
 * nothing. As many requests as the provider's limit of tags needs; none for no tags.
 *
 * @throws OffprintError `USAGE` for an unknown provider or a missing option
 */
export function purgeRequests<P extends keyof PurgeOptions>(
  provider: P,
  tags: readonly string[],
  options: PurgeOptions[P],
): PurgeRequest[] {
  checkOptions(provider, options);
  const form: PurgeForm<PurgeOptions[P]> = forms[provider];
  const headers = {
    "content-type": "application/json",
    ...(form.headers?.(options) ?? { authorization: `Bearer ${options.token}` }),
  };
  const all = [...new Set(tags)];
  return Array.from({ length: Math.ceil(all.length / form.most) }, (_, at) => {
    const some = all.slice(at * form.most, (at + 1) * form.most);
    return { url: form.url(options), method: "POST", headers, body: JSON.stringify(form.body(some, options)) };
  });
}

function checkOptions(provider: string, options: object): void {
  if (!Object.hasOwn(forms, provider)) {
    throw new OffprintError("USAGE", `purgeRequests(): there is no provider ${JSON.stringify(provider)}.`, {
      hint: `Providers: ${Object.keys(forms).join(", ")}.`,
    });
  }
  const given: Readonly<Record<string, unknown>> = { ...options };
  // Values stay out of the message: one of them is a secret.
  const isText = (value: unknown) => typeof value === "string" && /^[\x20-\x7e]+$/.test(value);
  const missing = forms[provider as keyof PurgeOptions].needs.filter((name) => !isText(given[name]));
  if (missing.length === 0) return;
  throw new OffprintError("USAGE", `purgeRequests(): ${provider} needs ${missing.join(" and ")}.`, {
    hint: "Pass a text without line breaks, such as a variable of the environment.",
  });
}
