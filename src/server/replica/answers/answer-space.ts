import { redactedOwner, redactedWebhookFields } from "../../../contract/redacted-records.js";
import { encodePath, findPath, membersAt, skipValue, textOf } from "../../../lib/json/bytes.js";
import { missing } from "../../../lib/json/characters.js";
import { parts } from "../../../snapshot/layout.js";
import type { GenerationView } from "../generation-view.js";
import { jsonAnswer, notFound, type ReplicaAnswer } from "./answer.js";

/** GET /v2/cdn/spaces/me: the stored record, or the manifest's space, with cv and languages. */
export function answerSpaceMe(view: GenerationView): ReplicaAnswer {
  const { space } = view.reader.manifest;
  const stored = storedSpace(view, "me");
  if (stored === undefined && space.id === null) return notFound();
  const read = stored ?? Buffer.from(JSON.stringify({ id: space.id, name: space.name ?? "", domain: "" }));
  const version = `"version":${view.cv}`;
  const languages = `"language_codes":${JSON.stringify(space.languages)}`;
  const members = membersAt(read, 0).map(({ name, start, end }) =>
    name === "version" ? version : textOf(read, start, end),
  );
  const languagesAt = members.findIndex((member) => member.startsWith('"language_codes":'));
  if (languagesAt < 0) members.push(languages);
  if (!members.includes(version)) members.splice(languagesAt < 0 ? members.length - 1 : languagesAt, 0, version);
  return jsonAnswer([`{"space":{${members.join(",")}}}`]);
}

/** GET /v1/space_info and /oauth/space_info (docs/interface-reference.md, section 4.8). */
export function answerSpaceInfo(view: GenerationView): ReplicaAnswer {
  const info = storedSpace(view, "info");
  return info === undefined ? notFound() : jsonAnswer([`{"space":${withMembers(info, { owner: redactedOwner })}}`]);
}

/** GET /v1/spaces/…/webhook_endpoints/… (docs/interface-reference.md, section 4.9). */
export function answerWebhookEndpoint(view: GenerationView, spaceId: string, id: string): ReplicaAnswer {
  const endpoints = view.reader.space()?.webhookEndpoints ?? [];
  const place = endpoints.findIndex((endpoint) => String(endpoint.id) === id);
  const ownerId = endpoints[place]?.space_id ?? view.reader.manifest.space.id;
  const bytes = place < 0 ? undefined : storedSpace(view, "webhookEndpoints", String(place));
  if (bytes === undefined || (ownerId !== null && String(ownerId) !== spaceId)) return notFound();
  return jsonAnswer([`{"webhook_endpoint":${withMembers(bytes, redactedWebhookFields)}}`]);
}

function withMembers(stored: Uint8Array, added: Readonly<Record<string, unknown>>): string {
  const members = membersAt(stored, 0).filter(({ name }) => !Object.hasOwn(added, name));
  const texts = members.map(({ start, end }) => textOf(stored, start, end));
  for (const [name, value] of Object.entries(added)) texts.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${texts.join(",")}}`;
}

function storedSpace({ records }: GenerationView, ...path: string[]): Uint8Array | undefined {
  const record = records(parts.space)[0];
  const at = record === undefined ? missing : findPath(record, 0, encodePath(path));
  return record === undefined || at === missing ? undefined : record.subarray(at, skipValue(record, at));
}
