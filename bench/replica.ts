import { type ChildProcess, fork } from "node:child_process";
import { connect, type Socket } from "node:net";
import { inFolder, interleaved, median, script } from "./measure.js";
import type { Bench, BenchRow } from "./row.js";
import { storyAt } from "./space/records.js";
import type { Given, Told } from "./space/replica-process.js";

const MB = 1024 * 1024;
/** Connections that ask at the same time. */
const connections = 8;
const program = script("./space/replica-process.js");

/** The replica with a large snapshot: ready, memory, requests a second, and what the first use of a field costs. */
export const replicaBench: Bench = async ({ short }) => {
  const stories = short ? 5_000 : 100_000;
  return inFolder(async (dir) => {
    await told(start(["build", dir, String(stories)]));
    const rows = await readyRows(dir, stories, short ? 1 : 3);
    const replica = start(["serve", dir]);
    const floor = start(["floor"]);
    try {
      const [served, sent] = await Promise.all([told(replica, false), told(floor, false)]);
      const ports = { replica: served.port ?? 0, floor: sent.port ?? 0 };
      const queries = await queryRows(replica, ports.replica, stories);
      rows.push(...(await throughputRows(ports, floor, stories, short)), ...queries);
      const { rss = 0 } = await usageOf(replica);
      rows.push(memoryRow("memory of the replica after all of this", rss, rows[0]!.note ?? "", stories));
      return rows.map(({ note, ...row }) =>
        note?.startsWith("bytes:") ? row : note === undefined ? row : { ...row, note },
      );
    } finally {
      replica.kill();
      floor.kill();
    }
  });
};

/** Time until it answers beside the time of reading the bytes, and the memory then. */
async function readyRows(dir: string, stories: number, repetitions: number): Promise<BenchRow[]> {
  let bytes = 0;
  let rss = 0;
  const [value = 0, floor = 0] = await interleaved(
    repetitions,
    [
      async () => {
        const answer = await told(start(["serve", dir]));
        rss = answer.rss ?? 0;
        return answer.readyMs ?? 0;
      },
      async () => {
        const answer = await told(start(["read", dir]));
        bytes = answer.bytes ?? 0;
        return answer.readyMs ?? 0;
      },
    ],
    { warmUp: true },
  );
  const ratio = value / floor;
  const name = `replica ready, ${stories} stories, beside reading the bytes`;
  const note = `bytes:${bytes}`;
  return [
    { name, unit: "ms", value, floor, ratio, aim: { text: "≤ 5 ×", met: ratio <= 5 }, note },
    memoryRow("memory of the replica when it is ready", rss, note, stories),
  ];
}

/** Memory beside the bytes of the snapshot. */
function memoryRow(name: string, rss: number, bytesNote: string, stories: number): BenchRow {
  const bytes = Number(bytesNote.slice("bytes:".length));
  const ratio = rss / bytes;
  const note = `${(rss / 1024 / stories).toFixed(2)} KB a story`;
  return {
    name,
    unit: "MB",
    value: rss / MB,
    floor: bytes / MB,
    ratio,
    aim: { text: "≤ 1.6 ×", met: ratio <= 1.6 },
    note,
  };
}

/** Pages that differ, so that none is asked for again while the replica remembers it. */
const differentPages = 400;

/** Requests a second, each beside a bare server that sends the same bytes from memory. */
async function throughputRows(
  ports: { replica: number; floor: number },
  floor: ChildProcess,
  stories: number,
  short: boolean,
): Promise<BenchRow[]> {
  const seconds = short ? 0.5 : 2;
  const list = (perPage: number, page: number) => `/v2/cdn/stories?token=x&per_page=${perPage}&page=${page}`;
  const pages = Array.from({ length: Math.min(differentPages, stories / 25) }, (_, index) => list(25, index + 1));
  const cases: [name: string, paths: string[], atLeast: number | null][] = [
    ["page of 25", [list(25, 3)], 0.91],
    ["page of 100", [list(100, 3)], 0.95],
    [`${pages.length} pages of 25 in turn`, pages, 0.8],
    ["a story by slug", [`/v2/cdn/stories/${storyAt(stories >> 1).fullSlug}?token=x`], null],
  ];
  const rows: BenchRow[] = [];
  for (const [name, paths, atLeast] of cases) {
    const isInTurn = paths.length > 1;
    for (const path of paths) {
      const answer = await fetch(`http://127.0.0.1:${ports.replica}${path}`);
      const body = await answer.text();
      await give(floor, { path, body });
      if (isInTurn)
        await give(floor, { path: `${path}${together}`, body: piecesOf(body), headers: ownHeaders(answer) });
    }
    const asked = { replica: await asRequests(ports.replica, paths), floor: await asRequests(ports.floor, paths) };
    const askedTogether = isInTurn
      ? await asRequests(
          ports.floor,
          paths.map((path) => `${path}${together}`),
        )
      : [];
    const [value = 0, bare = 0, joined = 0] = await interleaved(
      short ? 1 : 5,
      [
        () => requestsPerSecond(ports.replica, asked.replica, seconds),
        () => requestsPerSecond(ports.floor, asked.floor, seconds),
        ...(isInTurn ? [() => requestsPerSecond(ports.floor, askedTogether, seconds)] : []),
      ],
      { warmUp: true },
    );
    const ratio = value / bare;
    const aim = atLeast === null ? null : { text: `≥ ${atLeast} ×`, met: ratio >= atLeast };
    const row: BenchRow = { name: `replica: ${name}`, unit: "req/s", value, floor: bare, ratio, aim };
    rows.push(row);
    if (!isInTurn) continue;
    const note = "floor: puts the same records together for each answer, which has the same headers";
    rows.push({ ...row, floor: joined, ratio: value / joined, aim: null, note });
    const floorsNote = "what the aim asks for, of a bare server with no more memory";
    rows.push({
      ...row,
      name: `${row.name}, that floor beside the first`,
      value: joined,
      ratio: joined / bare,
      aim: null,
      note: floorsNote,
    });
  }
  return rows;
}

/** The headers of an answer without those that Node adds to every one. */
function ownHeaders({ headers }: Response): Record<string, string> {
  const added = ["connection", "content-length", "date", "keep-alive"];
  return Object.fromEntries([...headers].filter(([name]) => !added.includes(name)));
}

/** Where the floor puts an answer together. */
const together = "&together=1";

/** An answer with a list of stories in the pieces that it is made of: each record, and what stands between. */
function piecesOf(body: string): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const story of (JSON.parse(body) as { stories: unknown[] }).stories) {
    const text = JSON.stringify(story);
    const from = body.indexOf(text, at);
    if (from < 0) throw new Error("an answer is not canonical");
    pieces.push(body.slice(at, from), text);
    at = from + text.length;
  }
  return [...pieces, body.slice(at)];
}

/** What the first use of a field costs, what a built column costs, and how long another request waits meanwhile. */
async function queryRows(replica: ChildProcess, port: number, stories: number): Promise<BenchRow[]> {
  const list = (query: string) => `/v2/cdn/stories?token=x&${query}`;
  const deep = `per_page=25&page=${Math.min(400, stories / 50)}`;
  const cases: [name: string, first: string, later: (n: number) => string, firstMs: number, laterMs: number][] = [
    // The order, which every list needs, is made by the first request of all.
    ["first list of all", "per_page=1", (n) => `per_page=1&page=${n + 2}`, 500, 50],
    [
      "filter on a nested field",
      "filter_query[seo.title][like]=*number 77*",
      (n) => `filter_query[seo.title][like]=*number ${n}*`,
      500,
      50,
    ],
    [
      "filter on a field that no story has",
      "filter_query[seo.nothing][is]=not_null",
      (n) => `filter_query[seo.nothing][in]=x${n}`,
      500,
      50,
    ],
    [
      "sorted deep page",
      `sort_by=content.title:desc&${deep}`,
      (n) => `sort_by=content.title:${n % 2 ? "asc" : "desc"}&excluding_ids=${n}&${deep}`,
      500,
      50,
    ],
    ["search_term", "search_term=nowhere to be found", (n) => `search_term=unfindable ${n}`, 1200, 1200],
  ];
  const rows: BenchRow[] = [];
  for (const [name, first, later, firstMs, laterMs] of cases) {
    const waits: number[] = [];
    const { cpuMs: before = 0 } = await usageOf(replica);
    const once = await withWaits(port, waits, () => timed(port, list(first)));
    const { cpuMs: after = 0 } = await usageOf(replica);
    const again: number[] = [];
    for (let n = 0; n < 5; n += 1) again.push(await withWaits(port, waits, () => timed(port, list(later(n)))));
    const worst = Math.max(...waits);
    rows.push(
      {
        ...limitRow(`replica: ${name}, first use`, once, firstMs),
        note: `${Math.round(after - before)} ms of processor`,
      },
      limitRow(`replica: ${name}, then`, median(again), laterMs),
      limitRow(`replica: longest wait of another request beside ${name}`, worst, 50),
    );
  }
  return rows;
}

function limitRow(name: string, value: number, atMost: number): BenchRow {
  return { name, unit: "ms", value, floor: null, ratio: null, aim: { text: `≤ ${atMost} ms`, met: value <= atMost } };
}

async function timed(port: number, path: string): Promise<number> {
  const startedMs = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${encodeURI(path)}`);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body}`);
  return performance.now() - startedMs;
}

/** Runs work while another client asks for something small again and again, and notes how long each answer took. */
async function withWaits<T>(port: number, waits: number[], work: () => Promise<T>): Promise<T> {
  let working = true;
  const other = (async () => {
    while (working) waits.push(await timed(port, "/v2/cdn/spaces/me?token=x"));
  })();
  const result = await work();
  working = false;
  await other;
  return result;
}

/** A request as text, and how many bytes its answer has. */
interface Asked {
  text: string;
  answerBytes: number;
}

async function asRequests(port: number, paths: readonly string[]): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const path of paths) {
    const text = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    asked.push({ text, answerBytes: await answerLength(port, text) });
  }
  return asked;
}

/** Asks for each in turn on several connections, one request after the other on each, and counts the answers. */
async function requestsPerSecond(port: number, asked: readonly Asked[], seconds: number): Promise<number> {
  let next = 0;
  let answers = 0;
  const sockets: Socket[] = [];
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: connections }, () => {
      return new Promise<void>((resolve, reject) => {
        let left = 0;
        const socket = connect(port, "127.0.0.1");
        const ask = () => {
          const { text, answerBytes } = asked[next++ % asked.length]!;
          left += answerBytes;
          socket.write(text);
        };
        socket.setNoDelay(true);
        socket.on("connect", ask);
        socket.on("error", reject);
        socket.on("data", (chunk) => {
          left -= chunk.byteLength;
          if (left > 0) return;
          answers += 1;
          if (performance.now() - startedMs < seconds * 1000) ask();
          else resolve();
        });
        sockets.push(socket);
      });
    }),
  );
  const elapsed = (performance.now() - startedMs) / 1000;
  for (const socket of sockets) socket.destroy();
  return answers / elapsed;
}

/** Bytes of the answer with its head; the same for every request of it. */
function answerLength(port: number, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    socket.setEncoding("latin1");
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      text += chunk;
      const head = text.indexOf("\r\n\r\n");
      const body = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1]);
      if (head < 0 || text.length < head + 4 + body) return;
      socket.destroy();
      resolve(head + 4 + body);
    });
  });
}

function start(args: string[]): ChildProcess {
  return fork(program, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

/** The next message of a process, which is ended then unless it is to go on. */
function told(child: ChildProcess, end = true): Promise<Told> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the process ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      if (end) child.kill();
      resolve(message as Told);
    });
  });
}

function usageOf(replica: ChildProcess): Promise<Told> {
  replica.send("usage");
  return told(replica, false);
}

function give(floor: ChildProcess, given: Given): Promise<Told> {
  floor.send(given);
  return told(floor, false);
}
