import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import {
  type RunningReplica,
  type StartReplicaOptions,
  startReplica,
} from "../../../src/server/replica/http/server.js";
import { sampleSnapshot, story } from "../../support/sample-snapshot.js";

const head = "GET /v2/cdn/stories?token=x HTTP/1.1\r\nHost: localhost\r\n";

async function replica(options: Partial<StartReplicaOptions>): Promise<RunningReplica> {
  const content = { _uid: "u", component: "page", text: "x".repeat(4_000_000) };
  const { reader } = await sampleSnapshot({ editions: { "published/default": [story(1, { content })] } });
  const running = await startReplica({ reader: () => reader, redirect: false, ...options });
  onTestFinished(() => running.close());
  return running;
}

/** Opens a connection that never reads. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.pause();
  return socket;
}

/** Sends a byte of a head that never ends, again and again, and reads no answer; resolves when it is cut off. */
async function drip(socket: Socket): Promise<void> {
  const timer = setInterval(() => socket.write("x"), 10);
  onTestFinished(() => clearInterval(timer));
  await new Promise((closed) => socket.once("close", closed));
}

const served = async ({ url }: RunningReplica) => (await fetch(`${url}/none`)).status;

test("a slow head is cut off in time, although the client reads nothing and keeps sending", async () => {
  const running = await replica({ timeouts: { headersMs: 300, requestMs: 400, idleMs: 600_000 } });
  const sockets = await Promise.all(Array.from({ length: 20 }, () => open(running.port)));
  const closed = Promise.all(sockets.map(drip));
  for (const socket of sockets) socket.write(`${head}X-Slow: `);
  await closed;
  expect(await served(running)).toBe(404);
});

test("others are served while slow heads hold all connections: the longest waiting are dropped first", async () => {
  const running = await replica({ maxConnections: 10, timeouts: { headersMs: 600_000, requestMs: 600_000 } });
  const slow: Socket[] = [];
  const order: number[] = [];
  for (let index = 0; index < 10; index += 1) {
    const socket = await open(running.port);
    socket.on("close", () => order.push(index));
    socket.resume();
    socket.write(head);
    slow.push(socket);
  }
  const asking = { Connection: "close" };
  for (let count = 0; count < 3; count += 1) {
    expect((await fetch(`${running.url}/none`, { headers: asking })).status).toBe(404);
    const next = await open(running.port);
    slow.push(next);
    next.write(head);
  }
  while (order.length < 3) await nextTurn();
  expect(order.slice(0, 3)).toEqual([0, 1, 2]);
  for (const socket of slow) socket.destroy();
});

test("a connection with an active answer keeps its place", async () => {
  const running = await replica({ maxConnections: 2, latency: { minMs: 300, maxMs: 300 } });
  const asked = fetch(`${running.url}/none`);
  while (running.requests() === 0) await nextTurn();
  const slow = await Promise.all(Array.from({ length: 5 }, () => open(running.port)));
  expect((await asked).status).toBe(404);
  for (const socket of slow) socket.destroy();
});

test("others are served while clients that read nothing hold all connections", async () => {
  const running = await replica({ maxConnections: 5, timeouts: { headersMs: 300, requestMs: 400, idleMs: 600_000 } });
  const sockets = await Promise.all(Array.from({ length: 5 }, () => open(running.port)));
  for (const socket of sockets) socket.write(`${head}\r\n`);
  while (running.requests() < 5) await nextTurn();
  const ask = () =>
    fetch(`${running.url}/none`).then(
      ({ status }) => status,
      () => undefined,
    );
  let status = await ask();
  while (status === undefined) status = await ask();
  expect(status).toBe(404);
  for (const socket of sockets) socket.destroy();
});
