import type { LinkRecord } from "../contract/records.js";
import { memberTextOrNull } from "../json/member.js";
import type { RecordText } from "../upstream/answer.js";
import type { IndexRow } from "./index-row.js";

/**
 * An index row that was read before, as it is staged. Most rows are only compared by their text, so the other fields are
 * parsed when they are asked for.
 */
export class StagedRow implements IndexRow, RecordText<LinkRecord> {
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
    return memberTextOrNull(this.text, "published_at");
  }

  get updatedAt(): string | null | undefined {
    return memberTextOrNull(this.text, "updated_at");
  }
}
