import { parseLink } from "../../src/contract/parse-record.js";
import type { SparseLink } from "../../src/contract/records.js";
import type { IndexRow } from "../../src/sync/crawl/index/index-row.js";
import type { RecordText } from "../../src/sync/upstream/answer.js";

/** The row of a record: what its parsed JSON says, field by field. */
export function indexRow({ text, value }: RecordText<SparseLink>): IndexRow {
  return {
    uuid: value.uuid,
    id: value.id ?? undefined,
    text,
    get value() {
      return parseLink(text);
    },
    isFolder: value.is_folder === true,
    slug: value.slug ?? undefined,
    publishedAt: value.published_at,
    updatedAt: value.updated_at,
  };
}
