import { expect, test } from "vitest";
import { assetMetadataStep } from "../../../src/content/resolve/asset-fields.js";
import { resolveContent } from "../../../src/content/resolve/resolve-content.js";

const known = {
  id: 7,
  alt: "A lamp",
  title: "",
  copyright: null,
  focus: "1x1:2x2",
  content_type: "image/png",
  content_length: 12,
  s3_filename: "f/1/1x1/a/lamp.png",
  meta_data: { alt: "A lamp", title: "From the list", size: "1x1", ["__proto__"]: "data" },
};
const metadata = assetMetadataStep((id) => (id === 7 ? known : undefined));
const merge = (content: unknown) => resolveContent(content, { metadata });

test("an asset field keeps its own texts, and takes empty ones from the asset", () => {
  const field = {
    id: 7,
    fieldtype: "asset",
    filename: "https://a/f/1/1x1/a/lamp.png",
    alt: "Mine",
    title: "",
    focus: null,
  };
  expect(merge({ deep: [{ image: field }] })).toEqual({
    deep: [
      {
        image: {
          ...field,
          ...{ alt: "Mine", title: "From the list", focus: "1x1:2x2", content_type: "image/png", content_length: 12 },
          meta_data: known.meta_data,
        },
      },
    ],
  });
  expect(field.title).toBe("");
});

test("a key of meta_data that the field fills in stays", () => {
  const field = { id: 7, filename: "https://a/b.png", meta_data: { alt: "Mine", size: "", own: 1 } };
  expect(merge(field)).toMatchObject({ meta_data: { alt: "Mine", size: "1x1", own: 1, title: "From the list" } });
});

test.each([
  ["an asset that nothing is known of", { id: 8, fieldtype: "asset", filename: "https://a/b.png" }],
  ["an asset without an id", { id: null, fieldtype: "asset", filename: "" }],
  ["a block", { id: 7, component: "lamp", filename: "x" }],
  ["metadata of an unexpected shape", { id: "7", fieldtype: "asset" }],
  ["no object", "text"],
])("%s stays as it is", (_, value) => {
  expect(merge(value)).toBe(value);
});

test("metadata of an unexpected shape does no harm", () => {
  const field = { id: 7, fieldtype: "asset", filename: "https://a/b.png", meta_data: "none" };
  const odd = assetMetadataStep(() => ({ id: 7, meta_data: [1], alt: 3 }));
  expect(resolveContent(field, { metadata: odd })).toEqual({ ...field, alt: 3 });
});
