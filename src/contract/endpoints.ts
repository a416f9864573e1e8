import type { Endpoint, EnvelopeKey, QueryOf } from "./endpoint.js";
import { limits } from "./limits.js";
import {
  allDocumented,
  commonParams,
  datasourceEntryParams,
  datasourceListParams,
  findByParams,
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

const spaceInfo = {
  ...delivery,
  section: "4.8",
  params: {},
  envelope: {
    space: { shape: "object", record: "SpaceInfo", about: "space information (2.6), with secrets inside owner" },
  },
} as const;

function named<const E extends Record<string, Omit<Endpoint, "name">>>(unnamed: E) {
  const all = Object.entries(unnamed).map(([name, endpoint]) => [name, { ...endpoint, name }]);
  return Object.fromEntries(all) as { readonly [N in keyof E]: E[N] & { readonly name: N } };
}

/** Seed 4.1 to 4.9, and documented additions (docs/interface-reference.md, 4.10 to 4.16). */
export const endpoints = named({
  stories: {
    ...delivery,
    section: "4.1",
    path: "/v2/cdn/stories",
    params: {
      ...{ ...storyParams, ...pagingParams, ...storyFieldParams, ...storyListParams },
      ...{ ...storyPropertyParams, ...termParams, ...storyTermParams },
    },
    envelope: { stories: { shape: "array", record: "Story", about: "stories (2.1)" }, ...storyEnvelope },
    paging: limits.storiesPerPage,
    refusesUnknown: true,
  },
  story: {
    ...delivery,
    section: "4.3",
    path: "/v2/cdn/stories/:identifier",
    pathParams: {
      identifier: {
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
      ...findByParams,
      ...storyParams,
      ...allDocumented({ ...storyFieldParams, ...storyPropertyParams, ...termParams }),
    },
    envelope: { story: { shape: "object", record: "Story", about: "a story (2.1)" }, ...storyEnvelope },
    refusesUnknown: true,
  },
  link: {
    ...delivery,
    section: "4.4",
    path: "/v2/cdn/links/:uuid",
    pathParams: { uuid: { about: "uuid of the link", accepts: "segment" } },
    params: {
      cv: commonParams.cv,
      ...linkParams,
      ...allDocumented({ version: commonParams.version }),
    },
    envelope: { link: { shape: "object", about: "the link (2.3), or a map with it under its uuid" } },
  },
  experiments: {
    ...delivery,
    section: "4.5",
    path: "/v2/cdn/experiments",
    params: {
      cv: commonParams.cv,
      ...allDocumented({ version: commonParams.version }),
    },
    envelope: { experiments: { shape: "array", record: "Experiment", about: "running experiments (2.5)" }, cv: cvKey },
  },
  datasources: {
    ...delivery,
    section: "4.6",
    path: "/v2/cdn/datasources",
    params: {
      ...pagingParams,
      ...allDocumented({ ...commonParams, ...datasourceListParams }),
    },
    envelope: { datasources: { shape: "array", record: "Datasource", about: "datasources (2.4)" }, cv: cvKey },
    paging: limits.datasourcesPerPage,
  },
  datasource: {
    ...delivery,
    section: "4.7",
    path: "/v2/cdn/datasources/:identifier",
    pathParams: {
      identifier: {
        about: "id or slug",
        accepts: "segment",
        forms: {
          id: { about: "id of the datasource", origin: "seed" },
          slug: { about: "slug of the datasource", origin: "documented" },
        },
      },
    },
    params: allDocumented(commonParams),
    envelope: { datasource: { shape: "object", record: "Datasource", about: "a datasource (2.4)" }, cv: cvKey },
  },
  spaceInfo: { ...spaceInfo, group: "management", auth: "personal", path: "/v1/space_info" },
  oauthSpaceInfo: { ...spaceInfo, group: "oauth", auth: "bearer", path: "/oauth/space_info" },
  webhookEndpoint: {
    ...delivery,
    section: "4.9",
    group: "management",
    auth: "personal",
    path: "/v1/spaces/:space_id/webhook_endpoints/:webhook_endpoint_id",
    pathParams: {
      space_id: { about: "id of the space", accepts: "number" },
      webhook_endpoint_id: { about: "id of the webhook endpoint", accepts: "number" },
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
    section: "4.10",
    path: "/v2/cdn/links",
    params: allDocumented({ ...commonParams, ...pagingParams, ...linkParams, ...linkListParams }),
    envelope: { links: { shape: "map", record: "Link", about: "links (2.3) by uuid" } },
    paging: limits.linksPerPage,
  },
  datasourceEntries: {
    ...documented,
    section: "4.11",
    path: "/v2/cdn/datasource_entries",
    params: allDocumented({ ...commonParams, ...pagingParams, ...datasourceEntryParams }),
    envelope: {
      datasource_entries: { shape: "array", record: "DatasourceEntry", about: "rows of datasources" },
      cv: cvKey,
    },
    paging: limits.datasourceEntriesPerPage,
  },
  tags: {
    ...documented,
    section: "4.12",
    path: "/v2/cdn/tags",
    params: allDocumented({ ...commonParams, ...tagParams }),
    envelope: { tags: { shape: "array", record: "Tag", about: "tags with how often they are used" } },
  },
  spaceMe: {
    ...documented,
    section: "4.13",
    path: "/v2/cdn/spaces/me",
    params: allDocumented(commonParams),
    envelope: { space: { shape: "object", record: "Space", about: "what a delivery token may know of its space" } },
  },
  taxonomies: {
    ...documented,
    section: "4.14",
    path: "/v2/cdn/taxonomies",
    params: allDocumented(commonParams),
    envelope: {
      taxonomies: { shape: "array", record: "TaxonomyTerm", about: "taxonomies, without children" },
      cv: cvKey,
    },
  },
  taxonomy: {
    ...documented,
    section: "4.15",
    path: "/v2/cdn/taxonomies/:identifier",
    pathParams: { identifier: { about: "id or name of a taxonomy", accepts: "segment" } },
    params: allDocumented(commonParams),
    envelope: {
      taxonomy: { shape: "object", record: "TaxonomyTerm", about: "a taxonomy with all its terms" },
      cv: cvKey,
    },
  },
  taxonomyTerm: {
    ...documented,
    section: "4.16",
    path: "/v2/cdn/taxonomy_terms/:identifier",
    pathParams: { identifier: { about: "id of a term", accepts: "segment" } },
    params: allDocumented(commonParams),
    envelope: {
      taxonomy_term: { shape: "object", record: "TaxonomyTerm", about: "a term with those below it" },
      cv: cvKey,
    },
  },
});

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
