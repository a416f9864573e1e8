import type { Locator, Page } from "playwright-core";

/** A person at the start page, who types for free and whose clicks are counted. */
export class Visitor {
  clicks = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
    await this.#page.waitForLoadState("load");
    // A page that is not complete yet loads itself again.
    await this.#page.locator("[data-again]").waitFor({ state: "detached" });
  }

  /** A page of the navigation. */
  async goTo(name: string): Promise<void> {
    await this.click(this.#page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }));
  }

  async follow(text: string | RegExp): Promise<void> {
    await this.click(this.#main.getByRole("link", { name: text }).first());
  }

  /** Finds a story by its name, and goes to it. */
  async findStory(typed: string, name: string): Promise<void> {
    await this.#page.fill("#q", typed);
    await this.click(this.#page.getByRole("button", { name: "Search", exact: true }));
    await this.click(this.#main.getByRole("link", { name, exact: true }));
  }

  /** Opens the filters where they are folded. */
  async openFilters(): Promise<void> {
    const folded = this.#main.locator("summary", { hasText: /^Filters$/ });
    if (await folded.isVisible()) await this.click(folded);
  }

  /** A filter of a list. */
  async filter(title: string, value: string): Promise<void> {
    const facet = this.#main.locator(".facets details", { has: this.#page.locator("summary", { hasText: title }) });
    await this.click(facet.last().getByRole("link", { name: value }));
  }

  /** What can be seen of the page. */
  async seen(): Promise<string> {
    return (await this.#main.innerText()).replace(/\s+/g, " ");
  }

  get #main(): Locator {
    return this.#page.locator("main");
  }
}

export interface Question {
  asked: string;
  find(visitor: Visitor): Promise<void>;
  /** What the page says then: names and counts. */
  answers: readonly RegExp[];
}

/** The edits of the demo space, each with a sync after it. */
export const edits = ["publish", "rename", "datasource", "delete"] as const;

const date = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`;

/** What people ask day by day. The answers are of the demo space after {@link edits}. */
export const questions: readonly Question[] = [
  {
    asked: "Is the copy fresh?",
    find: async () => {},
    answers: [/\d+ (?:s|min) ago confirmed to match the space/, new RegExp(`5, committed ${date}`)],
  },
  {
    asked: "Which states can I go back to?",
    find: async () => {},
    answers: [
      new RegExp(`5 ${date} 1 removed the newest`),
      new RegExp(`3 ${date} 8 changed \\(8 moved\\)`),
      new RegExp(`1 ${date} 414 added`),
    ],
  },
  {
    asked: "What changed on this page since a time?",
    find: async (visitor) => {
      await visitor.findStory("the lamp over", "The lamp over the door is on again");
      await visitor.follow("changes since 1");
    },
    answers: [
      new RegExp(`Generation 1 \\(${date}\\) → 5 \\(${date}\\)`),
      /content › headline The lamp over the door is on again/,
      /full_slug press ?newsroom\/the-lamp-over-the-door/,
    ],
  },
  {
    asked: "Which label changed, from what to what?",
    find: (visitor) => visitor.follow(/since 1$/),
    answers: [/labels footer\.lamp The lamp is on The lamp is on, and so are we/],
  },
  {
    asked: "What did this page look like at a time?",
    find: async (visitor) => {
      await visitor.findStory("the lamp over", "The lamp over the door is on again");
      await visitor.follow("as it was in 1");
    },
    answers: [
      /All folders \/? ?press The lamp over the door This is the story in generation 1/,
      new RegExp(`generation 1, committed ${date}`),
      /Slug press\/the-lamp-over-the-door/,
    ],
  },
  {
    asked: "Who must mend this link?",
    find: (visitor) => visitor.goTo("Findings"),
    answers: [
      /RELATION_DANGLING 12/,
      /names "Ligature" \(glossary\/ligature\), deleted between generations 4 and 5/,
      /Furniture glossary\/furniture · See also 1/,
    ],
  },
  {
    asked: "Which findings are new?",
    find: async (visitor) => {
      await visitor.goTo("Findings");
      await visitor.follow(/^New/);
    },
    answers: [/Generation 4 did not have these/, /6 findings in generation 5/, /Furniture glossary\/furniture/],
  },
  {
    asked: "Which pages lack German?",
    find: async (visitor) => {
      await visitor.goTo("Stories");
      await visitor.openFilters();
      await visitor.filter("Not translated to", "German");
    },
    answers: [/Not translated to: German/, /118 stories/, /Hüttenabend am Hochkaser/],
  },
  {
    asked: "Why was this page rebuilt?",
    find: async (visitor) => {
      await visitor.findStory("glossary/furniture", "Furniture");
      await visitor.follow("changes since 1");
    },
    answers: [/Unchanged/, /removed Ligature glossary\/ligature/],
  },
  {
    asked: "Who uses this block, and which of its fields?",
    find: async (visitor) => {
      await visitor.goTo("Usage");
      await visitor.follow(/^hero$/);
    },
    answers: [/background_image 1 \d+/, /pages\/lamp-circle Body › Hero 1/],
  },
  {
    asked: "What is used nowhere?",
    find: async (visitor) => {
      await visitor.goTo("Usage");
      await visitor.follow("Used nowhere");
    },
    answers: [/address\.fax/, /feature-4\.png/, /bindings/, /about\/jobs/],
  },
  {
    asked: "What did last week cost?",
    find: (visitor) => visitor.goTo("Runs"),
    answers: [/The last seven days \d+ requests/, /5 runs that did something/],
  },
];
