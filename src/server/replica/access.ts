import type { RequestMatch } from "../../contract/request.js";

/** Tokens that may read a snapshot (docs/interface-reference.md, section 5). */
export interface AcceptedTokens {
  /** May read published content. If this and `preview` are empty, any token may read all. */
  public: readonly string[];
  /** May read drafts too. */
  preview: readonly string[];
  /** Personal access tokens for management reads; undefined: any. */
  personal?: readonly string[] | undefined;
  /** OAuth tokens for `/oauth/space_info` and the management reads; undefined: any. */
  oauth?: readonly string[] | undefined;
}

export interface Access {
  accepted: boolean;
  authorized: boolean;
}

const denied: Access = { accepted: false, authorized: false };
const granted: Access = { accepted: true, authorized: true };

/** A public token reads no drafts. Management reads take a personal token, or an OAuth token as `Bearer`. */
export function accessOf(match: RequestMatch, authorization: string, tokens: AcceptedTokens): Access {
  const { auth } = match.endpoint;
  if (auth !== "token") {
    const bearer = /^bearer +(\S+)\s*$/i.exec(authorization)?.[1];
    if (auth === "bearer") return isAccepted(bearer ?? "", tokens.oauth);
    if (bearer === undefined) return isAccepted(authorization.trim(), tokens.personal);
    // "Any OAuth token" would make configured personal tokens pointless.
    return isAccepted(bearer, tokens.oauth ?? (tokens.personal && []));
  }
  const { token } = match;
  if (token === undefined) return denied;
  if (acceptsAnyone(tokens) || tokens.preview.includes(token)) return granted;
  return tokens.public.includes(token) ? { accepted: true, authorized: !wantsDraft(match) } : denied;
}

export function acceptsAnyone(tokens: AcceptedTokens): boolean {
  return tokens.public.length + tokens.preview.length === 0;
}

function isAccepted(token: string, accepted: readonly string[] | undefined): Access {
  return token !== "" && (accepted === undefined || accepted.includes(token)) ? granted : denied;
}

export function wantsDraft(match: RequestMatch): boolean {
  return "version" in match.query && match.query.version === "draft";
}
