import type { Config } from "../../config/config.js";
import { type Finding, finding } from "./diagnosis-finding.js";

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
  if (text.length < fewestCharacters) return weak(`has ${text.length} characters`);
  return new Set(text).size < fewestDifferent ? weak("has few different characters") : [];
}
