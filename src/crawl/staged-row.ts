import { parseLink } from "../contract/parse-record.js";
import type { SparseLink } from "../contract/records.js";
import { memberTextOrNull } from "../json/member.js";
import type { RecordText } from "../upstream/answer.js";
import { type IndexRow, parentOf } from "./index-row.js";

/**
 * An index row that was read before, as it is staged. Most rows are only compared by their text, so the other fields are
 * parsed when they are asked for.
 */
export class StagedRow implements IndexRow, RecordText<SparseLink> {
  readonly uuid: string;
  readonly text: string;
  readonly isFolder: boolean;

  /** @param isFolder where that is known */
  constructor(uuid: string, text: string, isFolder?: boolean) {
    this.uuid = uuid;
    this.text = text;
    // A text search is enough for most rows: without this text the field cannot be true.
    this.isFolder = isFolder ?? (text.includes('"is_folder":true') && this.value.is_folder === true);
  }

  get value(): SparseLink {
    return parseLink(this.text);
  }

  get id(): number | undefined {
    return this.value.id ?? undefined;
  }

  get slug(): string | undefined {
    return this.value.slug ?? undefined;
  }

  get parentId(): number | undefined {
    return parentOf(this.value);
  }

  get publishedAt(): string | null | undefined {
    return memberTextOrNull(this.text, "published_at");
  }

  get updatedAt(): string | null | undefined {
    return memberTextOrNull(this.text, "updated_at");
  }
}
