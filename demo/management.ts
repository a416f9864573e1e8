import { space } from "./space.js";

/**
 * What management answers contain and no file may keep: the owner's personal data and secrets, the secret of the webhook
 * endpoint, and the key in its address. All of it is invented.
 */
export const demoSecrets = {
  email: "tilda.moreau.canary@lumenpress.example",
  alt_email: "canary.tilda@private.example",
  username: "canary-tilda-moreau",
  firstname: "Canary-Tilda",
  lastname: "Canary-Moreau",
  phone: "+44 5550 013 370",
  access_token: "canary-owner-access-token-4f1c9d",
  otp_secret: "CANARYOTPSECRETJBSWY3DP",
  encrypted_otp_secret: "canary-encrypted-otp-secret-9a2e77",
  encrypted_otp_secret_iv: "canary-encrypted-otp-iv-1b6d20",
  encrypted_otp_secret_salt: "canary-encrypted-otp-salt-c83f05",
  euid: "canary-euid-77120",
  first_token: "canary-first-token-of-the-space-e01b",
  webhook_secret: "canary-webhook-secret-5d7a1e",
  webhook_endpoint_key: "canary-webhook-address-key-20c9",
};

/** Values for the fields of {@link demoSecrets}; tests use random ones. */
export type DemoSecrets = typeof demoSecrets;

/** The space as a management answer has it, with its owner and all secrets (seed section 2.6). */
function spaceInfo(secrets: DemoSecrets) {
  return {
    name: space.name,
    domain: space.domain,
    uniq_domain: null,
    plan: "demo",
    plan_level: 400,
    limits: { stories: 20_000 },
    created_at: "2020-10-30",
    id: space.id,
    role: "admin",
    owner_id: 118_034,
    first_token: secrets.first_token,
    languages: [
      { code: "de", name: "Deutsch" },
      { code: "pt-br", name: "Português (Brasil)" },
    ],
    owner: owner(secrets),
  };
}

/** The one webhook endpoint of the space, with its secret (seed section 2.7). */
function webhookEndpoint(secrets: DemoSecrets) {
  return {
    id: space.webhookEndpoint,
    name: "Build the website",
    description: `Tells the build server. Key: ${secrets.webhook_endpoint_key}`,
    endpoint: `https://build.lumenpress.example/hooks/${secrets.webhook_endpoint_key}`,
    space_id: space.id,
    secret: secrets.webhook_secret,
    actions: [
      "story.published",
      "story.unpublished",
      "story.deleted",
      "story.moved",
      "datasource.entries_updated",
      "release.merged",
    ],
    activated: true,
    deleted_at: null,
    created_at: "2023-02-06T10:20:31.552Z",
    updated_at: "2025-03-18T15:41:09.013Z",
  };
}

/** Tokens of the management reads. */
export interface ManagementTokens {
  /** Personal access token: the whole value of `Authorization`. */
  personal: string;
  /** OAuth access token, after `Bearer `. */
  oauth: string;
}

/** The answer to a management request of the demo space; undefined for every other path. */
export function answerManagement(
  request: Request,
  secrets: DemoSecrets,
  tokens: ManagementTokens,
): Response | undefined {
  const path = new URL(request.url).pathname.replace(/\/+/g, "/").replace(/\/$/, "");
  const authorization = request.headers.get("authorization") ?? "";
  const isPersonal = authorization === tokens.personal;
  const isBearer = /^bearer /i.test(authorization) && authorization.slice(7).trim() === tokens.oauth;
  if (path === "/oauth/space_info") return isBearer ? json({ space: spaceInfo(secrets) }) : unauthorized();
  if (path === "/v1/space_info") return isPersonal || isBearer ? json({ space: spaceInfo(secrets) }) : unauthorized();
  if (!/^\/v1\/spaces\/[^/]+\/webhook_endpoints\/[^/]+$/.test(path)) return undefined;
  if (!isPersonal && !isBearer) return unauthorized();
  if (path !== `/v1/spaces/${space.id}/webhook_endpoints/${space.webhookEndpoint}`) return notFound();
  return json({ webhook_endpoint: webhookEndpoint(secrets) });
}

function owner(secrets: DemoSecrets) {
  return {
    id: 118_034,
    email: secrets.email,
    created_at: "2020-10-30T08:01:55.870Z",
    updated_at: "2025-09-01T06:44:10.002Z",
    access_token: secrets.access_token,
    username: secrets.username,
    role: null,
    sso: false,
    firstname: secrets.firstname,
    lastname: secrets.lastname,
    euid: secrets.euid,
    encrypted_otp_secret: secrets.encrypted_otp_secret,
    encrypted_otp_secret_iv: secrets.encrypted_otp_secret_iv,
    encrypted_otp_secret_salt: secrets.encrypted_otp_secret_salt,
    consumed_timestep: 58_590_414,
    otp_required_for_login: true,
    login_strategy: "otp",
    phone: secrets.phone,
    alt_email: secrets.alt_email,
    use_username: false,
    organization: null,
    org_id: 4_410,
    org_role: "admin",
    timezone: "Europe/London",
    disabled: false,
    notified: [],
    avatar: null,
    deleted_at: null,
    lang: "en",
    email_mapping: null,
    preferences: {
      job_role: "editor",
      beta_user: false,
      is_editor: true,
      company_name: "Lumen Press",
      job_function: "editorial",
      business_area: "books",
      favourite_spaces: [space.id],
      track_statistics: false,
      first_space_created: true,
    },
    partner_id: 0,
    partner_role: "none",
    otp_secret: secrets.otp_secret,
  };
}

function json(body: unknown): Response {
  return Response.json(body, { headers: { "cache-control": "max-age=0, private, must-revalidate" } });
}

function unauthorized(): Response {
  return Response.json({ error: "Unauthorized" }, { status: 401 });
}

function notFound(): Response {
  return Response.json(["This record could not be found"], { status: 404 });
}
