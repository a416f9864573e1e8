import type { LinkRecord } from "../contract/records.js";
import type { RecordText } from "../upstream/answer.js";
import type { IndexRow } from "./index-row.js";

/**
 * A line of the index that was read before. Of most nothing but the text is ever looked at, so that the rest is taken
 * out of it when it is asked for.
 */
export class KnownRow implements IndexRow, RecordText<LinkRecord> {
  readonly uuid: string;
  readonly text: string;
  readonly isFolder: boolean;

  constructor(uuid: string, text: string) {
    this.uuid = uuid;
    this.text = text;
    // Nearly all lines are told by their text: where it is not there, the field cannot be either.
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

/** Dates of all lines are looked at by every sync; of a line without nested objects they are found in its text. */
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
/** How far from its end the line before had the member: most have it there too. */
const usualPlace = { published_at: 0, updated_at: 0 };
