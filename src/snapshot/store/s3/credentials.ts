import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "ini";
import { OffprintError } from "../../../lib/errors.js";
import { registerSecret } from "../../../lib/redact/redact.js";

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  /** By the issuer's clock, in milliseconds since the epoch; absent: it does not end. */
  untilMs?: number;
}

/** Keys that a process gets for its role. Both give undefined if the environment names none. */
export interface RoleKeys {
  webIdentity(): Promise<Credentials> | undefined;
  container(): Promise<Credentials> | undefined;
}

/** Profile keys for ways to get credentials that are not supported. */
const otherWays: Readonly<Record<string, string>> = {
  role_arn: "a role to assume",
  sso_session: "a single sign-on",
  sso_start_url: "a single sign-on",
  credential_process: "a program that prints keys",
  web_identity_token_file: "a web identity",
  credential_source: "the identity of the machine",
};

/** In the order of AWS's SDKs; a profile in the settings wins. @throws OffprintError `STORE_CREDENTIALS` */
export async function findCredentials(
  profileName: string | undefined,
  env: Env,
  roles: RoleKeys,
): Promise<Credentials> {
  const isNamed = profileName !== undefined;
  const fromEnv = keyOf(env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY, env.AWS_SESSION_TOKEN);
  const given = isNamed ? undefined : (fromEnv ?? roles.webIdentity());
  if (given !== undefined) return given;
  const profile = await readAwsProfile(profileName, env);
  const found = keyOfProfile(profile) ?? (await sourceOf(profile, env));
  // A profile with another way means another role than the container's.
  const last = found ?? (isNamed || otherWayOf(profile) !== undefined ? undefined : roles.container());
  if (last !== undefined) return last;
  throw noCredentials(profile);
}

function keyOfProfile({ values }: AwsProfile): Credentials | undefined {
  return keyOf(values.aws_access_key_id, values.aws_secret_access_key, values.aws_session_token);
}

/** A profile may refer to another one for the key, which with a role could only assume it. */
async function sourceOf({ values }: AwsProfile, env: Env): Promise<Credentials | undefined> {
  const { source_profile: source, role_arn: role } = values;
  if (source === undefined || role !== undefined) return undefined;
  return keyOfProfile(await readAwsProfile(source, env));
}

function keyOf(id: string | undefined, secret: string | undefined, token: string | undefined): Credentials | undefined {
  if (!id || !secret) return undefined;
  for (const text of [id, secret, token]) registerSecret(text || undefined);
  return { accessKeyId: id, secretAccessKey: secret, ...(token && { sessionToken: token }) };
}

function otherWayOf({ values }: AwsProfile): string | undefined {
  return Object.keys(otherWays).find((key) => values[key] !== undefined);
}

function noCredentials(profile: AwsProfile): OffprintError {
  const { name, isThere } = profile;
  const way = otherWayOf(profile);
  if (way !== undefined) {
    const message = `The profile ${name} has no key, only ${otherWays[way]} (${way}), which Offprint does not support.`;
    return new OffprintError("STORE_CREDENTIALS", message, {
      hint: `Export the keys: \`eval "$(aws configure export-credentials --profile ${name} --format env)"\`, and run the same command again.`,
    });
  }
  const where = isThere ? `the profile ${name} has none` : `there is no profile ${name}`;
  return new OffprintError("STORE_CREDENTIALS", `No key for the store: AWS_ACCESS_KEY_ID is not set, and ${where}.`, {
    hint: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or select a profile of ~/.aws/credentials with output.s3.profile or AWS_PROFILE.",
  });
}

export type Env = Readonly<Record<string, string | undefined>>;

/** A profile's keys from both AWS configuration files; the credentials file wins. */
export interface AwsProfile {
  name: string;
  values: Readonly<Record<string, string>>;
  isThere: boolean;
}

/** A missing file has no profiles. @param name default: AWS_PROFILE, or `default` */
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
  // Escaped, because the parser nests sections at dots, and profile names may have dots.
  const escaped = text.replace(/^\s*\[[^\]\n]*\]/gm, (header) => header.replaceAll(".", "\\."));
  const found: Sections = Object.create(null);
  for (const [name, values] of Object.entries(parse(escaped))) {
    if (typeof values !== "object" || values === null) continue;
    const texts = Object.entries(values as Record<string, unknown>).filter(([, value]) => typeof value === "string");
    found[name.replace(/\s+/g, " ").trim()] = Object.fromEntries(texts) as Record<string, string>;
  }
  return found;
}

/** The keys of `s3 =` in a services section: the parser puts the indented lines into it. */
function nested(section: Record<string, string> | undefined): Record<string, string> | undefined {
  return section !== undefined && Object.hasOwn(section, "s3") ? section : undefined;
}

const leadMs = 5 * 60_000;
/** Also the least time between two renewals, so that a wrong clock does not ask for each request. */
const againMs = 60_000;

/** The key that signs. One that ends is renewed five minutes before, while the old one still signs. */
export class HeldKey {
  readonly #find: () => Promise<Credentials>;
  readonly #now: () => number;
  #key: Credentials | undefined;
  #renewMs = Number.POSITIVE_INFINITY;
  #finding: Promise<Credentials> | undefined;

  /** @param now the storage's clock, in milliseconds since the epoch */
  constructor(find: () => Promise<Credentials>, now: () => number) {
    this.#find = find;
    this.#now = now;
  }

  /** @throws OffprintError see `findCredentials`; never while the key at hand is valid */
  async get(): Promise<Credentials> {
    const key = this.#key;
    if (key !== undefined && this.#now() < this.#renewMs) return key;
    const finding = this.#findOnce();
    if (key === undefined || this.#now() >= untilOf(key)) return finding;
    finding.catch(() => {
      this.#renewMs = this.#now() + againMs;
    });
    return key;
  }

  /** The storage says that the key has ended. */
  forget(): void {
    this.#key = undefined;
  }

  #findOnce(): Promise<Credentials> {
    this.#finding ??= this.#find()
      .then((key) => this.#take(key))
      .finally(() => {
        this.#finding = undefined;
      });
    return this.#finding;
  }

  #take(key: Credentials): Credentials {
    const now = this.#now();
    const leftMs = untilOf(key) - now;
    this.#renewMs = now + Math.max(againMs, leftMs - Math.min(leadMs, leftMs / 2));
    this.#key = key;
    return key;
  }
}

function untilOf({ untilMs = Number.POSITIVE_INFINITY }: Credentials): number {
  return untilMs;
}
