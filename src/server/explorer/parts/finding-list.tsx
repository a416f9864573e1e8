import type { Finding } from "../../../content/check/finding.js";
import { pageAddress } from "../../../content/names/page-address.js";
import { EditorLink, SiteLink, textLink } from "./lists.js";
import { address, storyAddress } from "./page.js";

interface FindingProperties {
  findings: readonly Finding[];
  /** `site.url` of the configuration. */
  site: string | undefined;
  start?: number;
}

export function FindingList({ findings, site, start = 1 }: FindingProperties) {
  if (findings.length === 0) return null;
  return (
    <ol class="problems" start={start}>
      {findings.map(({ code, level, story, field, message, hint, names }) => (
        <li>
          <p>
            <b class={`level ${level}`}>{level}</b> <a href={address("problems", { rule: code })}>{code}</a>{" "}
            <span dir="auto">{names?.message ?? message}</span>
          </p>
          {story === null ? null : (
            <p>
              {textLink(
                storyAddress(story.uuid, { language: story.language === "default" ? "" : story.language }),
                names?.story?.name || story.slug || story.uuid,
              )}
              {names?.story === undefined ? null : (
                <>
                  {" "}
                  <code dir="auto">{story.slug}</code>
                </>
              )}
              {field === null ? null : (
                <>
                  {" · "}
                  <span dir="auto" title={field}>
                    {names?.field ?? field}
                  </span>
                </>
              )}
              {story.language === "default" ? null : ` · ${story.language}`}
              {names?.editor === undefined ? null : " · "}
              <EditorLink href={names?.editor} />{" "}
              <SiteLink href={story.edition.startsWith("published/") ? pageAddress(site, story.url) : undefined} />
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
