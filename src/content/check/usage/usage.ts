/** A story that uses something. */
export interface User {
  uuid: string;
  slug: string;
  /** The site's URL of its page. */
  url: string;
  language: string;
  edition: string;
  /** How often the story uses it. */
  times: number;
  /** Where, as far as it is known; the first few. */
  fields: string[];
}

/** How often a field is there, and how often it says something. */
export interface FieldFill {
  /** `component.field` */
  field: string;
  present: number;
  filled: number;
}

/** Who uses one thing. */
export interface Usage {
  kind: UsageKind;
  name: string;
  /** How often it is used, in all editions that were looked at. */
  times: number;
  users: User[];
  /** Of a block: its fields. Of a datasource: the fields that choose from it. */
  fields?: FieldFill[];
  /** Of a datasource: how often each of its values is chosen. */
  values?: { value: string; times: number }[];
}

export const usageKinds = ["block", "story", "asset", "field", "datasource", "tag"] as const;
export type UsageKind = (typeof usageKinds)[number];

/** What there is of everything, and what nobody uses. */
export interface UsageOverview {
  generation: number;
  stories: number;
  /** Content types and blocks, most used first. */
  blocks: { component: string; times: number; stories: number }[];
  fields: FieldFill[];
  datasources: { slug: string; values: number; fields: string[] }[];
  tags: { name: string; times: number }[];
  assets: number;
  unused: {
    /** Fields that no block has filled. */
    fields: string[];
    assets: string[];
    /** Datasources that no field chooses from. */
    datasources: string[];
    /** Tags that no story has. */
    tags: string[];
    /** Slugs of stories that no other one leads to. */
    stories: string[];
  };
}
