import { isObject } from "../lib/shape.js";

export interface ContentEvent {
  /** For example `published 4711`: the action and the id of its object. Safe to print. */
  name: string;
  /** Whether the cv moves for it. For other events we must read the parts that no cv covers. */
  movesCv: boolean;
  spaceId: string | undefined;
}

/** Story actions. Each gives the space a new cv. */
export const storyActions = new Set(["published", "unpublished", "deleted", "moved"]);
const idKeys = ["story_id", "asset_id", "datasource_id", "datasource_slug", "release_id", "branch_id", "id"];

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

/** Returns a number or a short plain text as text. Anything else could abuse the log. */
function word(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && /^[\w.-]{1,64}$/.test(value) ? value : undefined;
}
