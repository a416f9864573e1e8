import { isObject } from "../lib/shape.js";

/** What a webhook says has happened. */
export interface ContentEvent {
  /** `published 4711`: the action and the id of what it was done to. Safe to print. */
  name: string;
  /** Whether cv moves for it. For other events the parts that no cv covers have to be read. */
  movesCv: boolean;
  /** The space that it comes from; undefined: it does not say. */
  spaceId: string | undefined;
}

/** Actions on stories: each of them gives the space a new cv. */
const storyActions = new Set(["published", "unpublished", "deleted", "moved"]);
/** Where an event names what it is about, in order of preference. */
const idKeys = ["story_id", "asset_id", "datasource_id", "datasource_slug", "release_id", "branch_id", "id"];

/** The event of a webhook's body; undefined: the body is no JSON object. */
export function readContentEvent(body: Uint8Array): ContentEvent | undefined {
  const written = parse(body);
  if (!isObject(written)) return undefined;
  const action = word(written.action ?? written.type) ?? "unknown";
  const about = idKeys.flatMap((key) => word(written[key]) ?? [])[0];
  const isStory = written.story_id !== undefined || action.startsWith("story.");
  return {
    name: about === undefined ? action : `${action} ${about}`,
    movesCv: isStory && storyActions.has(action.replace(/^story\./, "")),
    spaceId: word(written.space_id),
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** A number, or a text of few plain characters, as text. Anything else comes from somebody who wants it printed. */
function word(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && /^[\w.-]{1,64}$/.test(value) ? value : undefined;
}
