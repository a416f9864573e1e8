import { byDefault, mapping, optional, required, section } from "./section.js";
import { choice, duration, parsed, text, token, type ValueKind } from "./value-kinds.js";

export const schedule = section("When `offprint watch` syncs the space.", {
  /** The interval; 5m if neither this nor cron is set. */
  everyMs: optional(duration("5m", "5s", "31d")),
  /** Instead of every: minute, hour, day of month, month, day of week. A sixth field in front is seconds. */
  cron: optional(text("a cron expression such as 13 * * * *")),
  /** Time zone of cron; by default UTC. */
  timeZone: optional(text("a time zone such as Europe/Vienna", isTimeZone)),
  /**
   * Spreads syncs over this time after the scheduled moment; each space keeps its own delay. By default the whole
   * interval of every, and 30s for cron.
   */
  jitterMs: optional(duration("30s", "0", "31d")),
  /** A space confirmed longer ago than this is not ready. */
  maxAgeMs: byDefault("1h", duration("1h", "1m", "365d")),
});

export const webhooks = section("Webhooks of the space, accepted by `offprint watch --listen`.", {
  /** The secret that events are signed with. Better a variable than the secret itself. */
  secret: optional(token),
  /**
   * How they are signed: HMAC-SHA1 in webhook-signature, HMAC-SHA256 in webhook-signature as sha256=…, or Standard
   * Webhooks.
   */
  signature: byDefault("storyblok", choice("storyblok", "sha256", "standard")),
  /** Without a secret: the last segment of the address, which nobody can guess. */
  key: optional(
    text("at least 22 of the characters A-Z a-z 0-9 - _", (written) => /^[\w-]{22,200}$/.test(written), {
      pattern: "^[A-Za-z0-9_-]{22,200}$",
    }),
  ),
});

const command: ValueKind<string | string[]> = parsed(
  "a shell line, or a list of a program and its arguments",
  { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" }, minItems: 1 }] },
  (input) => {
    if (typeof input === "string") return input.trim() === "" ? undefined : input.trim();
    const isList = Array.isArray(input) && input.length > 0 && input[0] !== "";
    return isList && input.every((argument) => typeof argument === "string") ? (input as string[]) : undefined;
  },
);

const hook = section("A command to run after the content of a new generation is written.", {
  /** A line for the shell, or a list of a program and its arguments. */
  run: required(command),
  /** How long it may run. */
  timeoutMs: byDefault("30m", duration("30m", "1s", "7d")),
});

export const onCommit = mapping("What runs when a generation's content is finished, by the name of a consumer.", hook, {
  expects: "the name of a consumer: letters, digits, - and _",
  accepts: isConsumerName,
});

export const consumers = section("Consumers that process the changes since the last generation they processed.", {
  /** How long to keep the generation of a consumer that does not return. */
  keepMs: byDefault("30d", duration("30d", "0", "3650d")),
});

/** True if a text may name a consumer. The name becomes a file name. */
export function isConsumerName(name: string): boolean {
  return consumerPattern.test(name);
}

const consumerPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
