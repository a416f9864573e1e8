import { sep } from "node:path";
import type { Config } from "../../config/config.js";
import { readLock } from "../../content/model/lock-file.js";
import { isOffprintError, ownError } from "../../lib/errors.js";
import { plural } from "../../lib/quantity-text.js";
import { type Finding, finding } from "./diagnosis-finding.js";

/** Notes paths with `\` on systems where it is part of a name, not a separator. */
export function checkPaths(
  { output, content, assets, types }: Pick<Config, "output" | "content" | "assets" | "types">,
  separator: string = sep,
): Finding[] {
  if (separator === "\\") return [];
  const paths = Object.entries({
    "output.dir": output.dir,
    "content.dir": content.dir,
    "assets.dir": assets.dir,
    "types.file": types.file,
  });
  return paths.flatMap(([key, path]) => {
    if (path?.includes("\\") !== true) return [];
    return [finding("PATH_BACKSLASH", `${key} has a backslash in a name: ${path}`, "Separate folders with /.")];
  });
}

const fewestCharacters = 16;
/** A text with fewer different characters repeats itself: a word, a date, a keyboard row. */
const fewestDifferent = 8;

/** Checks the secret and the key that authenticate events. Findings show neither of them. */
export function checkWebhooks({ webhooks, source }: Pick<Config, "webhooks" | "source">): Finding[] {
  const { secret, key } = webhooks;
  if (secret === undefined && key === undefined) {
    const hint =
      "Needed only where `watch --listen` is to take webhooks. Set one to what `openssl rand -hex 32` prints.";
    return [finding("WEBHOOKS_OPEN", "No event is taken: neither webhooks.secret nor webhooks.key is set.", hint)];
  }
  const weak = [
    ...(secret === undefined ? [] : weakness("webhooks.secret", secret, source.token)),
    ...(key === undefined ? [] : weakness("webhooks.key", key, source.token)),
  ];
  if (weak.length > 0) return weak;
  const by = secret === undefined ? "come to an address that nobody can guess" : "are signed with a secret";
  return [finding("WEBHOOKS_OK", `Events ${by}.`)];
}

function weakness(name: string, text: string, token: string): Finding[] {
  const hint = "Set it to what `openssl rand -hex 32` prints, here and in the settings of the webhook.";
  const weak = (why: string) => [finding("WEBHOOKS_WEAK", `${name} ${why}: it can be guessed.`, hint)];
  if (text === token) return weak("is the token of the space, too");
  if (text.length < fewestCharacters) return weak(`has ${plural(text.length, "character")}`);
  return new Set(text).size < fewestDifferent ? weak("has few different characters") : [];
}

/** Checks the file that `check.drift` compares with, if it does. */
export async function checkContentLock({ drift, lock }: Config["check"]): Promise<Finding[]> {
  if (drift === "evolve") return [];
  const found = await readLock(lock).catch(ownError);
  if (isOffprintError(found)) return [finding("CONTENT_LOCK_UNUSABLE", found.message, found.hint)];
  if (found !== undefined) return [finding("CONTENT_LOCK_OK", `check.drift: ${drift} compares with ${lock}.`)];
  const what = `check.drift: ${drift} compares with ${lock}, which is not there: nothing is guarded.`;
  const hint = "Run `offprint check --write-lock`, and put the file under version control.";
  return [finding("CONTENT_LOCK_MISSING", what, hint)];
}
