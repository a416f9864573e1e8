import { expect, test } from "vitest";
import { readContentEvent } from "../../src/watch/content-event.js";

const event = (body: unknown) => readContentEvent(Buffer.from(typeof body === "string" ? body : JSON.stringify(body)));

test("names an event by its action and object; story events move the cv", () => {
  expect(event({ text: "…", action: "published", space_id: 123, story_id: 4711, full_slug: "a" })).toEqual({
    name: "published 4711",
    movesCv: true,
    spaceId: "123",
  });
  for (const action of ["unpublished", "deleted", "moved", "story.published"]) {
    expect(event({ action, story_id: 1 })).toMatchObject({ movesCv: true });
  }
});

test("assets, datasources, releases and unknown objects may not show in the cv", () => {
  for (const body of [
    { action: "asset.deleted", asset_id: 9 },
    { action: "deleted", asset_id: 9 },
    { action: "entries_updated", datasource_slug: "colours" },
    { action: "merged", release_id: 3 },
    { action: "stage.changed", story_id: 4 },
    { type: "content.changed" },
    {},
  ]) {
    expect(event(body)).toMatchObject({ movesCv: false });
  }
  expect(event({ action: "entries_updated", datasource_slug: "colours" })?.name).toBe("entries_updated colours");
});

test("ignores a body that is no JSON object", () => {
  for (const body of ["", "{", "[]", "null", "1", '"published"', Buffer.from([0x7b, 0xff, 0x7d]).toString("latin1")]) {
    expect(event(body)).toBeUndefined();
  }
});

test("a name contains only an action and an id, for any input", () => {
  const odd = { action: "published\n\u001b[2J", story_id: "4711; rm -rf", space_id: { id: 1 } };
  expect(event(odd)).toEqual({ name: "unknown", movesCv: false, spaceId: undefined });
  expect(event({ action: "a".repeat(65), story_id: 1e21 })?.name).toBe("unknown 1e+21");
});

test("an event of an experiment asks for the parts beside the stories; no word of the text with an editor's address is kept", () => {
  const text = "Experiment 7 was started by editor@example.com";
  const event = readContentEvent(
    Buffer.from(JSON.stringify({ text, action: "experiment.started", id: 7, space_id: 5 })),
  );
  expect(event).toEqual({ name: "experiment.started 7", movesCv: false, spaceId: "5" });
});
