import type { Finding } from "../../../content/check/finding.js";
import { address, storyAddress } from "./page.js";

/** Findings with their story and field. @param start number of the first one */
export function FindingList({ findings, start = 1 }: { findings: readonly Finding[]; start?: number }) {
  if (findings.length === 0) return null;
  return (
    <ol class="problems" start={start}>
      {findings.map(({ code, level, story, field, message, hint }) => (
        <li>
          <p>
            <b class={`level ${level}`}>{level}</b> <a href={address("problems", { rule: code })}>{code}</a>{" "}
            <span dir="auto">{message}</span>
          </p>
          {story === null ? null : (
            <p>
              <a href={storyAddress(story.uuid, languageParameter(story.language))} dir="auto">
                {story.slug || story.uuid}
              </a>
              {field === null ? null : (
                <>
                  {" · "}
                  <code dir="auto">{field}</code>
                </>
              )}
              {story.language === "default" ? null : ` · ${story.language}`}
            </p>
          )}
          {hint === "" ? null : (
            <p class="quiet" dir="auto">
              {hint}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function languageParameter(language: string) {
  return language === "default" ? {} : { language };
}
