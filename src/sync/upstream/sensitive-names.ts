import { redactedOwner } from "../../contract/redacted-records.js";

/** Fields of a user (seed section 2.6) that other records have too, and that tell nothing of a person. */
const impersonal = new Set([
  ..."id created_at updated_at deleted_at role sso org_id org_role partner_id partner_role organization timezone".split(
    " ",
  ),
  ..."disabled notified lang preferences login_strategy consumed_timestep otp_required_for_login use_username".split(
    " ",
  ),
]);
const personal = new Set(["owner", ...Object.keys(redactedOwner).filter((name) => !impersonal.has(name))]);

/** Whether a field of this name tells who a person is: the owner, and the personal fields of a user. */
export function isPersonalField(name: string): boolean {
  return personal.has(inWords(name));
}

const secretWords =
  /token|secret|passw|passphrase|pwd|api_?key|(?:private|access|signing|encryption|license|client|auth|shared)_?key|credential|signature|authori[sz]ation|bearer|cookie|(?:^|_)(?:otp|pin|auth|pass|jwt)(?:_|$)/;

/** Whether a field of this name holds a secret: `previewToken`, `api-key`, `smtp_password`. */
export function isSecretName(name: string): boolean {
  return secretWords.test(inWords(name));
}

/** `webhookSecret`, `webhook-secret` and `Webhook secret` as `webhook_secret`. */
function inWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .toLowerCase();
}
