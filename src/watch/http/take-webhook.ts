import type { IncomingHttpHeaders } from "node:http";
import type { Config } from "../../config/config.js";
import { type ContentEvent, readContentEvent } from "../content-event.js";
import type { WebhookResult } from "../watch-event.js";
import { createVerifier, isSame, isSigned, type SignedMessage } from "./verify-signature.js";

export interface WebhookTarget {
  name: string;
  webhooks: Config["webhooks"];
  spaceId(): number | null;
  announce(event: ContentEvent): void;
}

export interface TakenWebhook {
  status: 202 | 400 | 401 | 404 | 409;
  result: WebhookResult;
  space?: string;
  event?: ContentEvent;
}

/** Whether a space can trust its events: it needs a secret, or a key in its address. */
export function takesEvents({ secret, key }: Config["webhooks"]): boolean {
  return secret !== undefined || key !== undefined;
}

export interface HookAddress {
  space: string;
  key: string | undefined;
}

/** With a secret and a key, both must match. A wrong key looks like an unknown space. */
export function createWebhookDesk(targets: readonly WebhookTarget[]) {
  let doors: ReadonlyMap<string, Door> = new Map();
  /** Goes on with these targets. Those with the same secret still know the ids of their webhooks. */
  const follow = (followed: readonly WebhookTarget[]): void => {
    const taking = followed.filter(({ webhooks }) => takesEvents(webhooks));
    doors = new Map(taking.map((target) => [target.name, doorOf(target, doors.get(target.name))]));
  };
  follow(targets);
  const doorAt = (address: HookAddress) => {
    const door = doors.get(address.space);
    return isSame(address.key ?? "", door?.webhooks.key ?? "") ? door : undefined;
  };
  const unknown: TakenWebhook = { status: 404, result: "unknown-space" };
  /** Rejects a webhook that is invalid whatever its body; undefined: the body decides. */
  const refuse = (address: HookAddress, headers: IncomingHttpHeaders): TakenWebhook | undefined => {
    const door = doorAt(address);
    if (door === undefined) return unknown;
    const isMissing = door.verify !== undefined && !isSigned(door.webhooks.signature, headers);
    return isMissing ? { status: 401, result: "unsigned", space: door.name } : undefined;
  };
  const take = (address: HookAddress, message: SignedMessage, nowMs: number): TakenWebhook => {
    const door = doorAt(address);
    if (door === undefined) return unknown;
    const space = door.name;
    const verdict = door.verify?.(message, nowMs) ?? "right";
    if (verdict === "wrong") return { status: 401, result: "unsigned", space };
    if (verdict !== "right") return { status: verdict === "stale" ? 401 : 409, result: "stale", space };
    const event = readContentEvent(message.body);
    if (event === undefined) return { status: 400, result: "malformed", space };
    const spaceId = door.spaceId();
    const isForeign = event.spaceId !== undefined && spaceId !== null && event.spaceId !== String(spaceId);
    if (!isForeign) door.announce(event);
    return { status: 202, result: isForeign ? "foreign" : "accepted", space, event };
  };
  return { refuse, take, follow };
}

type Door = WebhookTarget & { verify: ReturnType<typeof createVerifier> | undefined };

function doorOf(target: WebhookTarget, before: Door | undefined): Door {
  const { secret, signature } = target.webhooks;
  if (secret === undefined) return { ...target, verify: undefined };
  const isKnown = before?.webhooks.secret === secret && before.webhooks.signature === signature;
  return { ...target, verify: isKnown ? before.verify : createVerifier(signature, secret) };
}
