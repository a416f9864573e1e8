import type { Endpoint, EnvelopeKey, QueryOf } from "./endpoint.js";
import { limits } from "./limits.js";
import {
  commonParams,
  datasourceEntryParams,
  datasourceListParams,
  findByParams,
  inSection,
  linkListParams,
  linkParams,
  pagingParams,
  storyFieldParams,
  storyListParams,
  storyParams,
  storyPropertyParams,
  storyTermParams,
  tagParams,
  termParams,
} from "./parameters.js";

const cvKey: EnvelopeKey = { shape: "number", about: "the cv that was served; may be null" };
const storyEnvelope = {
  cv: cvKey,
  rels: { shape: "array", record: "Story", about: "stories that relations name; absent over the limit" },
  links: { shape: "array", about: "stories or links that links name; absent over the limit" },
  rel_uuids: { shape: "array", about: "uuids of all related stories, instead of rels, over the limit" },
  link_uuids: { shape: "array", about: "uuids of all linked stories, instead of links, over the limit" },
  assets: { shape: "array", record: "AssetMetadata", about: "asset metadata, with resolve_assets=1" },
} as const satisfies Record<string, EnvelopeKey>;
const delivery = { origin: "seed", group: "delivery", auth: "token", pathParams: {}, refusesUnknown: false } as const;
const documented = { ...delivery, origin: "documented" } as const;

/** Seed 4.1 to 4.9, and documented additions (docs/interface-reference.md, 4.10 to 4.16). */
export const endpoints = {
  stories: {
    ...delivery,
    name: "stories",
    section: "4.1",
    path: "/v2/cdn/stories",
    params: {
      ...inSection("4.1", { ...storyParams, ...pagingParams, ...storyFieldParams, ...storyListParams }),
      ...inSection("4.1", { ...storyPropertyParams, ...termParams, ...storyTermParams }),
    },
    envelope: { stories: { shape: "array", record: "Story", about: "stories (2.1)" }, ...storyEnvelope },
    paging: limits.storiesPerPage,
    refusesUnknown: true,
  },
  story: {
    ...delivery,
    name: "story",
    section: "4.3",
    path: "/v2/cdn/stories/:identifier",
    pathParams: {
      identifier: {
        section: "4.3",
        about: "full slug, id, or uuid",
        accepts: "slug",
        forms: {
          full_slug: { about: "full slug of the story", origin: "seed" },
          id: { about: "id of the story", origin: "seed" },
          uuid: { about: "uuid of the story, with find_by=uuid", origin: "seed" },
        },
      },
    },
    params: {
      ...inSection("4.3", { ...findByParams, ...storyParams }),
      ...inSection("4.3", { ...storyFieldParams, ...storyPropertyParams, ...termParams }, "documented"),
    },
    envelope: { story: { shape: "object", record: "Story", about: "a story (2.1)" }, ...storyEnvelope },
    refusesUnknown: true,
  },
  link: {
    ...delivery,
    name: "link",
    section: "4.4",
    path: "/v2/cdn/links/:uuid",
    pathParams: { uuid: { section: "4.4", about: "uuid of the link", accepts: "segment" } },
    params: {
      ...inSection("4.4", { cv: commonParams.cv, ...linkParams }),
      ...inSection("4.4", { version: commonParams.version }, "documented"),
    },
    envelope: { link: { shape: "object", about: "the link (2.3), or a map with it under its uuid" } },
  },
  experiments: {
    ...delivery,
    name: "experiments",
    section: "4.5",
    path: "/v2/cdn/experiments",
    params: {
      ...inSection("4.5", { cv: commonParams.cv }),
      ...inSection("4.5", { version: commonParams.version }, "documented"),
    },
    envelope: { experiments: { shape: "array", record: "Experiment", about: "running experiments (2.5)" }, cv: cvKey },
  },
  datasources: {
    ...delivery,
    name: "datasources",
    section: "4.6",
    path: "/v2/cdn/datasources",
    params: {
      ...inSection("4.6", pagingParams),
      ...inSection("4.6", { ...commonParams, ...datasourceListParams }, "documented"),
    },
    envelope: { datasources: { shape: "array", record: "Datasource", about: "datasources (2.4)" }, cv: cvKey },
    paging: limits.datasourcesPerPage,
  },
  datasource: {
    ...delivery,
    name: "datasource",
    section: "4.7",
    path: "/v2/cdn/datasources/:identifier",
    pathParams: {
      identifier: {
        section: "4.7",
        about: "id or slug",
        accepts: "segment",
        forms: {
          id: { about: "id of the datasource", origin: "seed" },
          slug: { about: "slug of the datasource", origin: "documented" },
        },
      },
    },
    params: inSection("4.7", commonParams, "documented"),
    envelope: { datasource: { shape: "object", record: "Datasource", about: "a datasource (2.4)" }, cv: cvKey },
  },
  spaceInfo: {
    ...delivery,
    name: "spaceInfo",
    section: "4.8",
    group: "management",
    auth: "personal",
    path: "/v1/space_info",
    params: {},
    envelope: {
      space: { shape: "object", record: "SpaceInfo", about: "space information (2.6), with secrets inside owner" },
    },
  },
  oauthSpaceInfo: {
    ...delivery,
    name: "oauthSpaceInfo",
    section: "4.8",
    group: "oauth",
    auth: "bearer",
    path: "/oauth/space_info",
    params: {},
    envelope: {
      space: { shape: "object", record: "SpaceInfo", about: "space information (2.6), with secrets inside owner" },
    },
  },
  webhookEndpoint: {
    ...delivery,
    name: "webhookEndpoint",
    section: "4.9",
    group: "management",
    auth: "personal",
    path: "/v1/spaces/:space_id/webhook_endpoints/:webhook_endpoint_id",
    pathParams: {
      space_id: { section: "4.9", about: "id of the space", accepts: "number" },
      webhook_endpoint_id: { section: "4.9", about: "id of the webhook endpoint", accepts: "number" },
    },
    params: {},
    envelope: {
      webhook_endpoint: {
        shape: "object",
        record: "WebhookEndpoint",
        about: "a webhook endpoint (2.7), with its secret",
      },
    },
  },
  links: {
    ...documented,
    name: "links",
    section: "4.10",
    path: "/v2/cdn/links",
    params: inSection("4.10", { ...commonParams, ...pagingParams, ...linkParams, ...linkListParams }, "documented"),
    envelope: { links: { shape: "map", record: "Link", about: "links (2.3) by uuid" } },
    paging: limits.linksPerPage,
  },
  datasourceEntries: {
    ...documented,
    name: "datasourceEntries",
    section: "4.11",
    path: "/v2/cdn/datasource_entries",
    params: inSection("4.11", { ...commonParams, ...pagingParams, ...datasourceEntryParams }, "documented"),
    envelope: {
      datasource_entries: { shape: "array", record: "DatasourceEntry", about: "rows of datasources" },
      cv: cvKey,
    },
    paging: limits.datasourceEntriesPerPage,
  },
  tags: {
    ...documented,
    name: "tags",
    section: "4.12",
    path: "/v2/cdn/tags",
    params: inSection("4.12", { ...commonParams, ...tagParams }, "documented"),
    envelope: { tags: { shape: "array", record: "Tag", about: "tags with how often they are used" } },
  },
  spaceMe: {
    ...documented,
    name: "spaceMe",
    section: "4.13",
    path: "/v2/cdn/spaces/me",
    params: inSection("4.13", commonParams, "documented"),
    envelope: { space: { shape: "object", record: "Space", about: "what a delivery token may know of its space" } },
  },
  taxonomies: {
    ...documented,
    name: "taxonomies",
    section: "4.14",
    path: "/v2/cdn/taxonomies",
    params: inSection("4.14", commonParams, "documented"),
    envelope: {
      taxonomies: { shape: "array", record: "TaxonomyTerm", about: "taxonomies, without children" },
      cv: cvKey,
    },
  },
  taxonomy: {
    ...documented,
    name: "taxonomy",
    section: "4.15",
    path: "/v2/cdn/taxonomies/:identifier",
    pathParams: { identifier: { section: "4.15", about: "id or name of a taxonomy", accepts: "segment" } },
    params: inSection("4.15", commonParams, "documented"),
    envelope: {
      taxonomy: { shape: "object", record: "TaxonomyTerm", about: "a taxonomy with all its terms" },
      cv: cvKey,
    },
  },
  taxonomyTerm: {
    ...documented,
    name: "taxonomyTerm",
    section: "4.16",
    path: "/v2/cdn/taxonomy_terms/:identifier",
    pathParams: { identifier: { section: "4.16", about: "id of a term", accepts: "segment" } },
    params: inSection("4.16", commonParams, "documented"),
    envelope: {
      taxonomy_term: { shape: "object", record: "TaxonomyTerm", about: "a term with those below it" },
      cv: cvKey,
    },
  },
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

export type StoriesQuery = QueryOf<Endpoints["stories"]>;
export type StoryQuery = QueryOf<Endpoints["story"]>;
export type LinkQuery = QueryOf<Endpoints["link"]>;
export type DatasourcesQuery = QueryOf<Endpoints["datasources"]>;
export type LinksQuery = QueryOf<Endpoints["links"]>;
export type DatasourceEntriesQuery = QueryOf<Endpoints["datasourceEntries"]>;
export type TagsQuery = QueryOf<Endpoints["tags"]>;
export type SpaceMeQuery = QueryOf<Endpoints["spaceMe"]>;
export type TaxonomiesQuery = QueryOf<Endpoints["taxonomies"]>;
