import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "ini";

/** The variables of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** A profile of the AWS configuration files: its keys, of both files together; those of the credentials file win. */
export interface AwsProfile {
  name: string;
  values: Readonly<Record<string, string>>;
  /** Whether one of the files has it. */
  isThere: boolean;
}

/**
 * Reads a profile from `~/.aws/config` and `~/.aws/credentials`, or from where AWS_CONFIG_FILE and
 * AWS_SHARED_CREDENTIALS_FILE point. A file that is not there has no profiles.
 *
 * @param name default: what AWS_PROFILE names, or `default`
 */
export async function readAwsProfile(name: string | undefined, env: Env): Promise<AwsProfile> {
  const profile = name ?? (env.AWS_PROFILE || "default");
  const home = env.HOME || env.USERPROFILE || homedir();
  const [config, credentials] = await Promise.all([
    sections(env.AWS_CONFIG_FILE || join(home, ".aws", "config")),
    sections(env.AWS_SHARED_CREDENTIALS_FILE || join(home, ".aws", "credentials")),
  ]);
  const found = [config[`profile ${profile}`] ?? config[profile], credentials[profile]];
  const services = found.map((section) => section?.services).find((named) => named !== undefined);
  const s3 = services === undefined ? undefined : nested(config[`services ${services}`]);
  return {
    name: profile,
    values: Object.assign(Object.create(null), ...found, s3?.endpoint_url && { endpoint_url: s3.endpoint_url }),
    isThere: found.some((section) => section !== undefined),
  };
}

type Sections = Record<string, Record<string, string> | undefined>;

async function sections(file: string): Promise<Sections> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    return {};
  }
  // The parser makes sections of sections where a name has dots, which names of profiles may have.
  const escaped = text.replace(/^\s*\[[^\]\n]*\]/gm, (header) => header.replaceAll(".", "\\."));
  const found: Sections = Object.create(null);
  for (const [name, values] of Object.entries(parse(escaped))) {
    if (typeof values !== "object" || values === null) continue;
    const texts = Object.entries(values as Record<string, unknown>).filter(([, value]) => typeof value === "string");
    found[name.replace(/\s+/g, " ").trim()] = Object.fromEntries(texts) as Record<string, string>;
  }
  return found;
}

/** The keys of `s3 =` in a section of services: the parser reads the indented lines as keys of the section. */
function nested(section: Record<string, string> | undefined): Record<string, string> | undefined {
  return section !== undefined && Object.hasOwn(section, "s3") ? section : undefined;
}
