import { expect, test } from "vitest";
import { p, storyLink, text } from "../../demo/rich-text.js";
import { fill } from "../../demo/template.js";
import { translated } from "../../demo/translated.js";

test("replaces placeholders in every string of a value", () => {
  const template = { title: "{name} of {place}", list: ["{count} books", 1, null] };
  expect(fill(template, { name: "Mira", place: "Trieste", count: 3 })).toEqual({
    title: "Mira of Trieste",
    list: ["3 books", 1, null],
  });
});

test("a string of one placeholder becomes the value itself", () => {
  const name = translated("Shore", { de: "Küste" });
  expect(fill({ name: "{name}", pages: "{pages}" }, { name, pages: 96 })).toEqual({ name, pages: 96 });
});

test("does not replace placeholders within an inserted value", () => {
  expect(fill("{a} {b}", { a: "{b}", b: "$&" })).toBe("{b} $&");
});

test("nodes stay separate nodes in a line, with the surrounding marks", () => {
  const book = storyLink("books/atlas/end-of-the-line", "End of the Line");
  const values = { book: [book], first: [text("One.")], year: 2022 };
  expect(fill(p(text("{first} See {book} ({year}).")), values)).toEqual(
    p(text("One."), text(" See "), book, text(" (2022).")),
  );
  const bold = [{ type: "bold" }];
  expect(fill(p(text("{first} Two.", bold)), values)).toEqual(p(text("One.", bold), text(" Two.", bold)));
  expect(fill(p(text("a{none}.")), { none: [] })).toEqual(p(text("a"), text(".")));
});

test("a placeholder without a value is an error", () => {
  expect(() => fill(["{nobody}"], { name: "Mira" })).toThrow("{nobody}");
});
