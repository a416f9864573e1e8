import type { ManagementSetting } from "../../config/config.js";
import type { Endpoint, QueryOf } from "../../contract/endpoint.js";
import {
  type Endpoints,
  endpoints,
  type LinksQuery,
  type SpaceMeQuery,
  type StoriesQuery,
  type StoryQuery,
  type TaxonomiesQuery,
} from "../../contract/endpoints.js";
import { assetMetadata, type RecordCheck } from "../../contract/record-check.js";
import * as tables from "../../contract/record-table.js";
import type {
  AssetMetadataRecord,
  SpaceInfoRecord,
  SpaceRecord,
  SparseLink,
  StoryHead,
  StoryRecord,
  TaxonomyTermRecord,
  WebhookEndpointRecord,
} from "../../contract/records.js";
import { parseExact } from "../../lib/json/exact-json.js";
import type { KnownRecords } from "../../lib/json/record-texts.js";
import { registerSecret } from "../../lib/redact/redact.js";
import type { Answer, KnownPages, Page, RecordText } from "./answer.js";
import { baseUrl, type EndpointAccess, personalAccess, spaceInfoAccess, unconfigured } from "./endpoint-access.js";
import {
  type CallOptions,
  type EndpointReader,
  type EndpointReaderOptions,
  type EndpointReading,
  openEndpointReader,
} from "./endpoint-reader.js";
import {
  projectSpace,
  projectSpaceInfo,
  projectStoryText,
  projectTermText,
  projectWebhookEndpoint,
} from "./projection.js";
import { bodiesOf, listBeside, pageOf, projectedRecordOf, recordOf } from "./read-answer.js";
import type { RequestCounts } from "./request-queue.js";

export interface UpstreamOptions extends EndpointReaderOptions {
  management?: ManagementSetting | undefined;
}

/** The answer to a probe; null if the upstream does not send the value. */
export interface ProbeAnswer {
  cv: number | null;
  dateMs: number | null;
  /** Number of published stories; null for a redirect. */
  total: number | null;
}

type Ask<Q, T, O = CallOptions> = (query: Q, options?: O) => Promise<Answer<T>>;

/** The endpoints that list one kind of record: the key in the answer, and the record. */
export const lists = {
  datasources: { key: "datasources", record: tables.datasource },
  datasourceEntries: { key: "datasource_entries", record: tables.datasourceEntry },
  experiments: { key: "experiments", record: tables.experiment },
  tags: { key: "tags", record: tables.tag },
  taxonomies: { key: "taxonomies", record: tables.taxonomyTerm, project: projectTermText },
} as const;

interface ListOf {
  key: string;
  record: RecordCheck<unknown>;
  project?: (text: string) => string;
}
type ListName = keyof typeof lists;
type RecordOf<T> = T extends RecordCheck<infer R> ? R : never;
type Lists = { [L in ListName]: Ask<QueryOf<Endpoints[L]>, Page<RecordOf<(typeof lists)[L]["record"]>>> };

/** All throw `UpstreamError` after all retries, REQUEST_LIMIT beyond `queue.maxRequests`, or the signal's reason. */
export interface Upstream extends Lists {
  /** Seed 4.1. The texts are complete; content may only be parsed as far as its type. */
  stories: Ask<StoriesQuery, Page<StoryHead>>;
  /** The asset metadata that `resolve_assets` adds to stories (seed 4.1); null if there is none. */
  assetMetadata: Ask<StoriesQuery, RecordText<AssetMetadataRecord>[] | null>;
  /** Seed 4.3. `identifier`: full slug, id, or uuid with `find_by`. */
  story(
    identifier: string | number,
    query: StoryQuery,
    options?: CallOptions,
  ): Promise<Answer<RecordText<StoryRecord>>>;
  /** The paged links listing. Records have their own uuid, whatever the key in the map. */
  links: Ask<LinksQuery, Page<SparseLink>, LinksOptions>;
  /** A taxonomy with all its terms, without `last_author`. @param identifier id or name */
  taxonomy(
    identifier: string,
    query: TaxonomiesQuery,
    options?: CallOptions,
  ): Promise<Answer<RecordText<TaxonomyTermRecord>>>;
  /** `spaces/me`, redacted, in the text, too; the domain is reduced to its origin. */
  spaceMe: Ask<SpaceMeQuery, RecordText<SpaceRecord>>;
  /** Seed 4.8, reduced to what may be kept. @throws OffprintError CONFIG_INVALID without access */
  spaceInfo(options?: CallOptions): Promise<Answer<SpaceInfoRecord>>;
  /** Seed 4.9, reduced. @throws OffprintError CONFIG_INVALID without url, token, space id */
  webhookEndpoint(id: number, options?: CallOptions): Promise<Answer<WebhookEndpointRecord>>;
  /** Requests one published story without a cv, which returns the cv of the space. */
  probe(options?: CallOptions): Promise<ProbeAnswer>;
  readonly counts: Readonly<RequestCounts>;
  readonly unknown: EndpointReader["unknown"];
  close(): Promise<void>;
}

export interface LinksOptions extends CallOptions {
  /** Known links. If the same text comes again, the page has that object, without parsing. */
  knownOf?: KnownRecords<RecordText<SparseLink>>;
  pages?: KnownPages<SparseLink> | undefined;
}

const probePriority = 1_000;

/** Opens an upstream; sends nothing. @throws OffprintError CONFIG_INVALID for a bad address */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { management, token } = options;
  const base = baseUrl(options.url, "source.url");
  // A short token, like the demo's, is an ordinary word, and must not be masked in every message.
  const secrets = [token, management?.token, management?.oauthToken];
  for (const secret of secrets) if ((secret?.length ?? 0) >= 8) registerSecret(secret);
  const reader = openEndpointReader({ ...options, url: base.href });
  const delivery: EndpointAccess = { base, token, headers: {} };

  const ask = <E extends Endpoint, T>(reading: Omit<EndpointReading<E, T>, "access">) =>
    reader.read({ access: delivery, ...reading });
  const listed = Object.entries<ListOf>(lists).map(([name, { key, record, project }]) => {
    const endpoint: Endpoint = endpoints[name as ListName];
    const read: Ask<object, unknown> = (query, call) =>
      ask({ endpoint, query, parse: pageOf(key, record, { ...call, ...(project && { project }) }), call });
    return [name, read];
  });
  const upstream: Upstream = {
    stories: (query, call) => ask({ endpoint: endpoints.stories, query, parse: stories(call), call }),
    assetMetadata: (query, call) =>
      ask({ endpoint: endpoints.stories, query: { ...query, resolve_assets: true }, parse: assets, call }),
    story: (identifier, query, call) =>
      ask({ endpoint: endpoints.story, path: { identifier }, query, parse: story, call }),
    links(query, call) {
      const parse = pageOf("links", tables.link, call);
      return ask({ endpoint: endpoints.links, query, parse, memory: call?.pages && bodiesOf(call.pages), call });
    },
    ...(Object.fromEntries(listed) as Lists),
    taxonomy: (identifier, query, call) =>
      ask({ endpoint: endpoints.taxonomy, path: { identifier }, query, parse: taxonomy, call }),
    spaceMe: (query, call) => ask({ endpoint: endpoints.spaceMe, query, parse: space, call, confidential: true }),
    async spaceInfo(call) {
      const { endpoint, access } = spaceInfoAccess(management);
      return valueOnly(await reader.read({ endpoint, query: {}, access, parse: spaceInfo, call, confidential: true }));
    },
    async webhookEndpoint(id, call) {
      const access = personalAccess(management);
      const spaceId = management?.spaceId;
      if (access === undefined || spaceId === undefined) throw unconfigured("url, token and spaceId");
      const path = { space_id: spaceId, webhook_endpoint_id: id };
      const endpoint = endpoints.webhookEndpoint;
      return valueOnly(
        await reader.read({ endpoint, path, query: {}, access, parse: webhookEndpoint, call, confidential: true }),
      );
    },
    async probe(call) {
      const priority = call?.priority ?? probePriority;
      const answer = await upstream.stories({ version: "published", per_page: 1 }, { priority });
      const total = answer.kind === "served" ? answer.body.total : null;
      return { cv: answer.cv, dateMs: answer.dateMs, total };
    },
    counts: reader.counts,
    unknown: reader.unknown,
    close: () => reader.close(),
  };
  return upstream;
}

/** A crawl only uses the type of a story's content, which is most of its size. */
const stories = (call: CallOptions | undefined) =>
  pageOf<StoryHead>("stories", tables.story, {
    ...call,
    large: { name: "content", kept: "component" },
    project: projectStoryText,
  });
const assets = listBeside("assets", assetMetadata);
const story = recordOf("story", tables.story, { project: projectStoryText });
const taxonomy = recordOf("taxonomy", tables.taxonomyTerm, { project: projectTermText });
const space = projectedRecordOf("space", tables.space, projectSpace);
const spaceInfo = projectedRecordOf("space", tables.spaceInfo, projectSpaceInfo);
const webhookEndpoint = projectedRecordOf("webhook_endpoint", tables.webhookEndpoint, projectWebhookEndpoint);

/** The record alone, with the text of its numbers. */
function valueOnly<T>(answer: Answer<RecordText<T>>): Answer<T> {
  return answer.kind === "moved" ? answer : { ...answer, body: parseExact(answer.body.text) as T };
}
