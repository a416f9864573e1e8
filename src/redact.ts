const registered = new Set<string>();
const mask = "[redacted]";
const secretParameter = /([?&](?:token|access_token|oauth_token|secret)=)[^&#\s"']+/gi;
const authorization = /((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?:bearer\s+|basic\s+)?[^\s"',}]+/gi;
const userInfo = /(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s@]+@/gi;

/**
 * Remembers a secret value for the life of the process, so that {@link redact} removes it wherever it appears.
 * Values of less than four characters are not remembered: masking them would mutilate ordinary text.
 */
export function registerSecret(secret: string | undefined): void {
  if (secret === undefined || secret.length < 4) return;
  registered.add(secret);
  registered.add(encodeURIComponent(secret));
  registered.add(JSON.stringify(secret).slice(1, -1));
}

/** The text without any registered secret, `token=` parameter, authorization header or user information in a URL. */
export function redact(text: string): string {
  let clean = text
    .replace(secretParameter, `$1${mask}`)
    .replace(authorization, `$1${mask}`)
    .replace(userInfo, `$1${mask}@`);
  for (const secret of registered) {
    if (clean.includes(secret)) clean = clean.replaceAll(secret, mask);
  }
  return clean;
}
