import { OffprintError } from "../../../lib/errors.js";
import { registerSecret } from "../../../lib/redact/redact.js";
import { type AwsProfile, type Env, readAwsProfile } from "./aws-profile.js";

/** A key of the storage. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Keys of profiles that name a way to get credentials which is not followed here. */
const otherWays: Readonly<Record<string, string>> = {
  role_arn: "a role to assume",
  sso_session: "a single sign-on",
  sso_start_url: "a single sign-on",
  credential_process: "a program that prints keys",
  web_identity_token_file: "a web identity",
  credential_source: "the identity of the machine",
};

/**
 * The key that requests are signed with: of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; or of the profile.
 * A profile that the settings name goes before the variables.
 *
 * @throws OffprintError `STORE_CREDENTIALS` where there is none, which names the way that the profile has instead
 */
export async function findCredentials(profileName: string | undefined, env: Env): Promise<Credentials> {
  const fromEnv = keyOf(env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY, env.AWS_SESSION_TOKEN);
  if (profileName === undefined && fromEnv !== undefined) return fromEnv;
  const profile = await readAwsProfile(profileName, env);
  const found = keyOfProfile(profile) ?? (await sourceOf(profile, env));
  if (found !== undefined) return found;
  throw noCredentials(profile);
}

function keyOfProfile({ values }: AwsProfile): Credentials | undefined {
  return keyOf(values.aws_access_key_id, values.aws_secret_access_key, values.aws_session_token);
}

/** A profile may name another one that has the key; with a role, the key would only be allowed to assume that. */
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

function noCredentials({ name, values, isThere }: AwsProfile): OffprintError {
  const way = Object.keys(otherWays).find((key) => values[key] !== undefined);
  if (way !== undefined) {
    const message = `The profile ${name} has no key, but ${otherWays[way]} (${way}), which is not followed here.`;
    return new OffprintError("STORE_CREDENTIALS", message, {
      hint: `Export the keys: \`eval "$(aws configure export-credentials --profile ${name} --format env)"\`, and run the same command again.`,
    });
  }
  const where = isThere ? `the profile ${name} has none` : `there is no profile ${name}`;
  return new OffprintError("STORE_CREDENTIALS", `No key for the store: AWS_ACCESS_KEY_ID is not set, and ${where}.`, {
    hint: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws/credentials: output.s3.profile or AWS_PROFILE.",
  });
}
