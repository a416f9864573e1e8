// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax that this file is about.
import { looksLikeToken } from "./token-like.js";

export interface VariableProblem {
  offset: number;
  message: string;
  hint: string;
}

/** Replaces `${NAME}` and `${NAME:-default}`; `$${` becomes `${`. Empty is unset: CI passes missing secrets so. */
export function substituteVariables(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): { text: string; used: string[]; problems: VariableProblem[] } {
  const used: string[] = [];
  const problems: VariableProblem[] = [];
  const replaced = text.replaceAll(
    /\$?\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\})?/g,
    (match: string, name: string | undefined, fallback: string | undefined, otherwise: string, offset: number) => {
      if (match.startsWith("$$")) return match.slice(1);
      if (name === undefined) {
        problems.push({ offset, message: "a ${ that no variable follows", hint: escapeHint });
        return "";
      }
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (value !== undefined && value !== "") {
        used.push(name);
        return value;
      }
      if (fallback !== undefined) return otherwise;
      problems.push({ offset, ...unsetVariable(name) });
      return "";
    },
  );
  return { text: replaced, used, problems };
}

/** Hides the name if it looks like a token, which somebody wrote in place of a variable name. */
function unsetVariable(name: string): Pick<VariableProblem, "message" | "hint"> {
  if (/[a-z]/.test(name) && /[A-Z]/.test(name) && looksLikeToken(name)) {
    return { message: "a variable that looks like a token is not set", hint: "Write the name of a variable in ${ }." };
  }
  return { message: `\${${name}} is not set, or is empty`, hint: `Set ${name} in the environment or in .env.` };
}

const escapeHint = "Write ${NAME} or ${NAME:-default} for a variable, and $${ for the characters themselves.";
