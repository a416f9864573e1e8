/**
 * Replaces the secrets and personal data of management records (seed sections 2.6 and 2.7), which a
 * snapshot never contains. A text becomes `redacted`; other values become 0, false, an empty list,
 * or null if the field is nullable. Times and addresses stay valid: `1970-01-01T00:00:00.000Z`.
 */
const text = "redacted";
const moment = "1970-01-01T00:00:00.000Z";

const redactedPreferences = {
  job_role: text,
  beta_user: false,
  is_editor: false,
  company_name: text,
  job_function: text,
  business_area: text,
  favourite_spaces: [] as number[],
  track_statistics: false,
  first_space_created: false,
};

/** The `owner` of space information: every field of seed section 2.6, without personal data. */
export const redactedOwner = {
  id: 0,
  email: "redacted@redacted.invalid",
  created_at: moment,
  updated_at: moment,
  access_token: text,
  username: text,
  role: null,
  sso: false,
  firstname: text,
  lastname: text,
  euid: null,
  encrypted_otp_secret: text,
  encrypted_otp_secret_iv: text,
  encrypted_otp_secret_salt: text,
  consumed_timestep: 0,
  otp_required_for_login: false,
  login_strategy: text,
  phone: null,
  alt_email: null,
  use_username: false,
  organization: null,
  org_id: 0,
  org_role: text,
  timezone: text,
  disabled: false,
  notified: [] as unknown[],
  avatar: null,
  deleted_at: null,
  lang: text,
  email_mapping: null,
  preferences: redactedPreferences,
  partner_id: 0,
  partner_role: text,
  otp_secret: text,
} as const;

/** The fields of a webhook endpoint that may contain a secret. */
export const redactedWebhookFields = {
  description: text,
  endpoint: "https://redacted.invalid/",
  secret: text,
} as const;
