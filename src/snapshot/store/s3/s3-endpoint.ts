import type { StoreSetting } from "../../../config/config.js";
import { OffprintError } from "../../../lib/errors.js";
import { type Env, readAwsProfile } from "./credentials.js";

export interface S3Endpoint {
  region: string;
  /** Address of the bucket, without a final slash. */
  bucketUrl: string;
}

const defaultRegion = "us-east-1";

/** From the settings, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile, or AWS. @param movedTo by the storage */
export async function s3Endpoint(setting: StoreSetting, env: Env, movedTo?: string): Promise<S3Endpoint> {
  const profile = await readAwsProfile(setting.profile, env);
  const named =
    setting.endpoint ?? (env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || profile.values.endpoint_url || undefined);
  const region =
    movedTo ?? setting.region ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || profile.values.region || defaultRegion);
  const origin = named === undefined ? awsOrigin("s3", region) : originOf(named);
  // A certificate for *.s3… does not cover names with further dots.
  const isInPath = setting.pathStyle ?? (named !== undefined || setting.bucket.includes("."));
  const url = new URL(origin);
  const bucketUrl = isInPath ? `${url.origin}/${setting.bucket}` : `${url.protocol}//${setting.bucket}.${url.host}`;
  return { region, bucketUrl };
}

/** The service that gives keys for roles: AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL, or AWS's in the process's region. */
export function stsOrigin({ region }: StoreSetting, env: Env): string {
  const named = env.AWS_ENDPOINT_URL_STS || env.AWS_ENDPOINT_URL;
  return named
    ? originOf(named)
    : awsOrigin("sts", env.AWS_REGION || env.AWS_DEFAULT_REGION || region || defaultRegion);
}

function awsOrigin(service: string, region: string): string {
  return `https://${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

function originOf(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url.origin;
  throw new OffprintError("CONFIG_INVALID", "The endpoint of the store is not an http(s) address.", {
    hint: "Set output.s3.endpoint, AWS_ENDPOINT_URL_S3 or endpoint_url of the profile to an address such as https://storage.example.com.",
  });
}
