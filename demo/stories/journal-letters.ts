import { choose, numberOf } from "../identifiers.js";
import { bold, doc, hr, italic, p, quote, storyLink } from "../rich-text.js";
import { t } from "../translated.js";
import { publishedBooks } from "./books.js";
import type { Article } from "./journal.js";

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const germanMonths = [
  "Jänner",
  "Februar",
  "März",
  "April",
  "Mai",
  "Juni",
  "Juli",
  "August",
  "September",
  "Oktober",
  "November",
  "Dezember",
];

const openings = [
  "The stove was lit on the second, which is early even for this building.",
  "Somebody left the skylight open and we have spent the week drying chapter four.",
  "The swifts are back under the east gable, exactly on the day the calendar in the kitchen said.",
  "We counted the stock. We always count the stock when it rains.",
  "A coach party arrived on Tuesday under the impression that we were still making lamps. They stayed for tea.",
  "The big press is running again, after three weeks and one very small spring.",
  "The river came up to the second step, looked in, and went away.",
  "It has been the sort of month in which the post is more interesting than the news.",
];
const workshops = [
  "In the press room, Wendell is cutting a new lower case g, because the old one has begun to look smug.",
  "We have tried a paper made of tomato stalks. It prints beautifully and smells of August.",
  "The binding table has been moved to the window, where it always should have been.",
  "An apprentice has found that the blue we thought was number 7 has been number 9 for eleven years. Nobody is to tell the authors.",
  "The folding machine folds again. What it does with the second sheet is best described as interpretive.",
  "Four hundred copies came back from the trimmer one millimetre short. They are on sale as the slim edition.",
];
const post = [
  "A reader in Uppsala asks whether she may read our walking books sitting down. She may.",
  "A class of nine-year-olds has written to correct the moon. They are right; it is fixed in the next printing.",
  "Somebody returned a library book of ours to us instead of the library, with a fine of four shillings enclosed.",
  "A ferry company has ordered sixty copies, one for each lifebelt locker.",
  "We were sent a photograph of one of our atlases keeping a window open in Valparaíso. It looks happy.",
  "A man in Graz has read the whole backlist in order and would like to know what to do now. We are working on it.",
];
const closings = [
  "The lamp over the door is on until nine.",
  "Come by. The kettle is the size of a font case.",
  "Until next month, and mind the step.",
  "More when the ink is dry.",
];

/** A letter from the press for each month from January 2023 to August 2025. */
export const letters: readonly Article[] = Array.from({ length: 32 }, (_, index) =>
  letter(2023 + Math.floor(index / 12), index % 12),
);

function letter(year: number, month: number): Article {
  const key = `letter ${year} ${month}`;
  const title = `Letter from the press, ${months[month]} ${year}`;
  const germanTitle = `Brief aus dem Verlag, ${germanMonths[month]} ${year}`;
  const recent = publishedBooks.filter((book) => book.year <= year);
  const book = choose(recent, `${key} book`);
  const opening = openings[(year * 12 + month * 5) % openings.length] ?? "";
  const translated = numberOf(key) % 2 === 0;
  return {
    slug: `letter-${months[month]?.toLowerCase()}`,
    title: translated ? t(title, germanTitle) : title,
    date: `${year}-${String(month + 1).padStart(2, "0")}-01`,
    kind: "letter",
    teaser: translated ? t(opening, "Neues aus Setzerei, Lager und Briefkasten.") : opening,
    body: doc(
      p("Dear reader,"),
      p(opening, " ", choose(workshops, `${key} workshop`)),
      p(
        "If you read one thing of ours this month, let it be ",
        storyLink(book.path, book.title),
        ". ",
        italic(book.pitch),
      ),
      quote(p(choose(post, `${key} post`))),
      hr(),
      p(bold(choose(closings, `${key} closing`))),
    ),
    books: [book.path],
    subjects: ["subjects/printing"],
    ...(translated ? { german: { slug: `brief-${String(month + 1).padStart(2, "0")}` } } : {}),
  };
}
