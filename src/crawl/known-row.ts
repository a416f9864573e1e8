import type { LinkRecord } from "../contract/records.js";
import type { RecordText } from "../upstream/answer.js";
import type { IndexRow } from "./index-row.js";

/**
 * An index row that was read before, as it is staged. Most rows are only compared by their text, so the other fields are
 * parsed when they are asked for.
 */
export class KnownRow implements IndexRow, RecordText<LinkRecord> {
  readonly uuid: string;
  readonly text: string;
  readonly isFolder: boolean;

  constructor(uuid: string, text: string) {
    this.uuid = uuid;
    this.text = text;
    // A text search is enough for most rows: without this text the field cannot be true.
    this.isFolder = text.includes('"is_folder":true') && this.value.is_folder === true;
  }

  get value(): LinkRecord {
    return JSON.parse(this.text) as LinkRecord;
  }

  get id(): number {
    return this.value.id;
  }

  get slug(): string {
    return this.value.slug;
  }

  get parentId(): number {
    return this.value.parent_id ?? 0;
  }

  get publishedAt(): string | null | undefined {
    return dateOf(this, "published_at");
  }

  get updatedAt(): string | null | undefined {
    return dateOf(this, "updated_at");
  }
}

/** Every sync looks at the dates of all rows. In a row without nested objects they are found without parsing it. */
function dateOf(row: KnownRow, field: keyof typeof members): string | null | undefined {
  const { text } = row;
  const member = members[field];
  const fromEnd = usualPlace[field];
  const isUsual = fromEnd <= text.length && text.startsWith(member, text.length - fromEnd);
  const at = isUsual ? text.length - fromEnd : text.lastIndexOf(member);
  if (at < 0) return undefined;
  usualPlace[field] = text.length - at;
  const start = at + member.length;
  const end = text.indexOf('"', start + 1);
  const isPlain = text.charCodeAt(start) === quote && end > 0 && text.indexOf("{", 1) < 0;
  const date = isPlain ? text.slice(start + 1, end) : undefined;
  return date === undefined || date.includes("\\") ? row.value[field] : date;
}

const quote = 0x22;
const members = { published_at: '"published_at":', updated_at: '"updated_at":' };
/** How far from its end the last row had the member. Most rows have it at the same place. */
const usualPlace = { published_at: 0, updated_at: 0 };
