import type { Version } from "../config/config.js";
import type {
  DatasourceEntriesQuery,
  DatasourcesQuery,
  ExperimentsQuery,
  LinksQuery,
  StoriesQuery,
  TagsQuery,
} from "../contract/endpoints.js";
import type {
  DatasourceEntryRecord,
  DatasourceRecord,
  ExperimentRecord,
  LinkRecord,
  SpaceInfoRecord,
  SpaceRecord,
  StoryRecord,
  TagRecord,
  WebhookEndpointRecord,
} from "../contract/records.js";
import type { Answer, Page, RecordText } from "../upstream/answer.js";
import type { LinksOptions, Upstream } from "../upstream/upstream.js";
import type { Pin } from "./pin.js";

/** What may be said about one request. */
type Call = Parameters<Upstream["stories"]>[1];
type Versioned<T> = T & { version: Version };

/**
 * The upstream as a round reads it. Published content is read at the pin's cv; drafts, `spaces/me` and the management
 * reads are addressed by no cv. No reader sets `cv` itself.
 */
export interface PinnedUpstream {
  readonly pin: Pin;
  stories(query: Versioned<StoriesQuery>, call?: Call): Promise<Page<StoryRecord>>;
  links(query: Versioned<LinksQuery>, options?: LinksOptions): Promise<Page<LinkRecord>>;
  /** Past the edge's copy in a recheck, as are the three after it. */
  tags(query: Versioned<TagsQuery>): Promise<Page<TagRecord>>;
  datasources(query: DatasourcesQuery): Promise<Page<DatasourceRecord>>;
  datasourceEntries(query: DatasourceEntriesQuery): Promise<Page<DatasourceEntryRecord>>;
  experiments(query: ExperimentsQuery): Promise<Page<ExperimentRecord>>;
  spaceMe(): Promise<RecordText<SpaceRecord>>;
  spaceInfo(): Promise<SpaceInfoRecord>;
  webhookEndpoint(id: number): Promise<WebhookEndpointRecord>;
}

/**
 * Ties the reads of a round to its pin.
 * @param recheckCv Server time in seconds, sent as cv where a recheck has to get past the edge's copy of an unmoved cv:
 *   the pinned URL would be answered from that very copy. Undefined: everything is read at the pin.
 */
export function pinUpstream(upstream: Upstream, pin: Pin, recheckCv?: number): PinnedUpstream {
  type Read<T> = (cv: { cv?: number }) => Promise<Answer<T>>;
  const pinned = async <T>(read: Read<T>): Promise<T> => (await pin.read((cv) => read(asQuery(cv)))).body;
  const unpinned = async <T>(read: () => Promise<Answer<T>>): Promise<T> => (await pin.readUnpinned(read)).body;
  const ofVersion = <T>(version: Version, read: Read<T>): Promise<T> =>
    version === "published" ? pinned(read) : unpinned(() => read({}));
  const fresh = async <T>(read: Read<T>): Promise<T> => {
    if (recheckCv === undefined) return pinned(read);
    const answer = await pin.readAt(recheckCv, (cv) => read(asQuery(cv)));
    return answer === undefined ? pinned(read) : answer.body;
  };
  return {
    pin,
    stories: (query, call) => ofVersion(query.version, (cv) => upstream.stories({ ...query, ...cv }, call)),
    links: (query, options) => ofVersion(query.version, (cv) => upstream.links({ ...query, ...cv }, options)),
    tags: (query) =>
      query.version === "published"
        ? fresh((cv) => upstream.tags({ ...query, ...cv }))
        : unpinned(() => upstream.tags(query)),
    datasources: (query) => fresh((cv) => upstream.datasources({ ...query, ...cv })),
    datasourceEntries: (query) => fresh((cv) => upstream.datasourceEntries({ ...query, ...cv })),
    experiments: (query) => fresh((cv) => upstream.experiments({ ...query, ...cv })),
    spaceMe: () => unpinned(() => upstream.spaceMe({})),
    spaceInfo: () => unpinned(() => upstream.spaceInfo()),
    webhookEndpoint: (id) => unpinned(() => upstream.webhookEndpoint(id)),
  };
}

function asQuery(cv: number | undefined): { cv?: number } {
  return cv === undefined ? {} : { cv };
}
