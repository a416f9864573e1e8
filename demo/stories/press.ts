import { leaflet } from "../assets/pictures.js";
import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory, slugOf } from "../demo-story.js";
import { asset, linkToEmail } from "../fields.js";
import { prose } from "../rich-text.js";
import { inLanguage } from "../translated.js";

/** The page of each press release, with a leaflet. */
export function pressStories({ releases }: Content["press"]): DemoStory[] {
  return releases.map(({ date, headline, text, embargo, translations, release }, index) => {
    const title = inLanguage(headline, "default");
    const lines = (text.match(/.{1,58}(?:\s|$)/g) ?? []).map((line) => line.trim());
    const pages = [["For the press", "", ...lines]];
    return {
      path: `press/${slugOf(title)}`,
      name: title,
      date,
      dated: true,
      position: -index,
      tags: ["press"],
      translations,
      content: blok("press_release", {
        headline,
        text: prose(text),
        released_at: `${date} 10:00`,
        embargo_until: embargo ?? "",
        attachments: [asset(leaflet(`press-${index + 1}`, title, pages, `${title}, as a leaflet`))],
        contact: linkToEmail("press@lumenpress.example"),
      }),
      release,
    };
  });
}
