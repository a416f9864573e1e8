import { describe, expect, onTestFinished, test } from "vitest";
import { createBodyBuffers } from "../../../../src/server/replica/http/exchange.js";
import { startSample } from "../../../support/running-replica.js";
import { story } from "../../../support/sample-snapshot.js";

const pieces = (letter: string, length: number) => ["{", Buffer.from(letter.repeat(length)), "ü}"];
const text = (body: Uint8Array) => Buffer.from(body).toString();

describe("buffers of bodies", () => {
  test.each([0, 10, 8192, 70_000, 5_000_000])("a body of about %i bytes is the joined pieces", (length) => {
    const body = createBodyBuffers().join(pieces("a", length));
    expect(text(body)).toBe(`{${"a".repeat(length)}ü}`);
  });

  test("memory is reused only after its release", () => {
    const buffers = createBodyBuffers();
    const first = buffers.join(pieces("a", 20_000));
    const second = buffers.join(pieces("b", 20_000));
    expect(second.buffer).not.toBe(first.buffer);
    expect([text(first)[1], text(second)[1]]).toEqual(["a", "b"]);
    buffers.release(first);
    buffers.release(first);
    const third = buffers.join(pieces("c", 18_000));
    const fourth = buffers.join(pieces("d", 18_000));
    expect(third.buffer).toBe(first.buffer);
    expect(fourth.buffer).not.toBe(first.buffer);
    expect([text(second)[1], text(third)[1], text(fourth)[1]]).toEqual(["b", "c", "d"]);
  });
});

test("concurrent answers never mix", async () => {
  const stories = Array.from({ length: 40 }, (_, index) =>
    story(index + 1, { content: { _uid: "u", component: "page", text: `${index + 1} `.repeat(5000) } }),
  );
  const replica = await startSample({ editions: { "published/default": stories } });
  onTestFinished(() => replica.close());
  const ask = async (id: number) => {
    const response = await fetch(`${replica.url}/v2/cdn/stories/story-${id}?token=x`);
    const { story: answered } = (await response.json()) as { story: { id: number; content: { text: string } } };
    expect([answered.id, answered.content.text]).toEqual([id, `${id} `.repeat(5000)]);
  };
  for (let round = 0; round < 3; round += 1) await Promise.all(stories.map(({ id }) => ask(id)));
});
