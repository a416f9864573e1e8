import { encodePath, findPath, type Member, membersAt, textOf } from "../../../lib/json/bytes.js";
import { missing } from "../../../lib/json/characters.js";

const content = encodePath(["content"]);
const none: ReadonlySet<string> = new Set();

/** Removes members of a record and its `content`; the rest stays byte for byte. */
export function withoutMembers(record: Uint8Array, fields: ReadonlySet<string>, contentFields = none): string {
  const contentAt = contentFields.size === 0 ? missing : findPath(record, 0, content);
  const members = membersAt(record, 0).filter((member) => !fields.has(member.name));
  const texts = members.map((member) => {
    if (member.valueStart !== contentAt) return memberText(record, member);
    const kept = membersAt(record, contentAt).filter((inner) => !contentFields.has(inner.name));
    return `"content":{${kept.map((inner) => memberText(record, inner)).join(",")}}`;
  });
  return `{${texts.join(",")}}`;
}

/** Replaces the `content` of a record with JSON; the rest stays byte for byte. */
export function withContent(record: Uint8Array, json: string): Uint8Array {
  const texts = membersAt(record, 0).map((member) =>
    member.name === "content" ? `"content":${json}` : memberText(record, member),
  );
  return Buffer.from(`{${texts.join(",")}}`);
}

function memberText(record: Uint8Array, member: Member): string {
  return textOf(record, member.start, member.end);
}
