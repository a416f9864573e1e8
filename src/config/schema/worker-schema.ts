import { isQueueAddress } from "../queue-address.js";
import { byDefault, required, section } from "./section.js";
import { duration, text, wholeNumber } from "./value-kinds.js";

const second = 1000;
const queueName = /^[a-z][a-z0-9_]{0,31}$/;

/** How a fleet is spread over machines. */
export const worker = section("How `offprint worker` shares the spaces with the workers of other machines.", {
  queue: required(
    text("an address such as redis://host:6379, rediss:// or postgres://host/database", isQueueAddress),
    "The Redis or PostgreSQL that keeps the jobs. Better a variable than a password.",
  ),
  name: byDefault(
    "offprint",
    text("1 to 32 of the characters a-z 0-9 _, the first of them a letter", (written) => queueName.test(written), {
      pattern: queueName.source,
    }),
    "What the keys in Redis begin with, or the schema in PostgreSQL: workers of one name share their spaces.",
  ),
  concurrency: byDefault(4, wholeNumber(1, 100), "Spaces that one worker syncs at once, at most."),
  takeOver: byDefault(
    "1m",
    duration("1m", second, 60 * 60 * second),
    "Within which time the space of a worker that was killed goes to another one.",
  ),
});
