import type { Finding } from "../../../content/check/finding.js";
import { textLink } from "./lists.js";
import { address, storyAddress } from "./page.js";

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
              {textLink(
                storyAddress(story.uuid, { language: story.language === "default" ? "" : story.language }),
                story.slug || story.uuid,
              )}
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
