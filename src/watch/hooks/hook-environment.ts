import type { Config } from "../../config/config.js";
import { secretPaths, valueAt } from "../../config/load/config-problems.js";
import { demoToken } from "../../config/schema/source-url.js";
import { contentFolderOf } from "../../content/tree/content-folder.js";
import { holdsRegisteredSecret } from "../../lib/redact/redact.js";
import type { ListHeader } from "./change-list.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter secrets may be ordinary words in other variables. */
const longSecret = 8;

/** The environment of this process without secrets of any space; `changes` is a file. */
export function hookEnvironment(
  env: Environment,
  config: Config,
  { consumer, header, changes }: { consumer: string; header: ListHeader; changes: string },
): Record<string, string> {
  const secrets = secretsOf(config);
  const holdsSecret = (value: string) =>
    secrets.some((secret) => (secret.length < longSecret ? value === secret : value.includes(secret)));
  const passed = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value === undefined || holdsSecret(value) || holdsRegisteredSecret(value) ? [] : [[name, value]],
  );
  return {
    ...Object.fromEntries(passed),
    OFFPRINT_CONSUMER: consumer,
    OFFPRINT_SPACE: String(header.space ?? ""),
    OFFPRINT_FROM: String(header.from ?? ""),
    OFFPRINT_GENERATION: String(header.to),
    OFFPRINT_CV: String(header.cv ?? ""),
    OFFPRINT_FULL: header.full ?? "",
    OFFPRINT_CHANGES: changes,
    OFFPRINT_OUTPUT: config.output.dir,
    OFFPRINT_CONTENT: contentFolderOf(config),
  };
}

function secretsOf(config: Config): string[] {
  const found = secretPaths.flatMap((path) => valueAt(config, path) as string | string[] | undefined);
  return found.filter((secret) => secret !== undefined && secret !== "" && secret !== demoToken) as string[];
}
