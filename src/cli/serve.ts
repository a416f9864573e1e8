import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Config } from "../config/config.js";
import type { Fleet, SpaceConfig } from "../config/load/fleet.js";
import { demoToken } from "../config/schema/source-url.js";
import { openApiDocument } from "../contract/openapi.js";
import { isOffprintError, messageOf, OffprintError } from "../lib/errors.js";
import { isLoopbackHost } from "../lib/loopback.js";
import { printable } from "../lib/printable.js";
import { acceptsAnyone } from "../server/replica/access.js";
import { faultKinds, parseFault, parseLatency } from "../server/replica/http/faults.js";
import { type StartReplicaOptions, startReplica } from "../server/replica/http/server.js";
import type { SnapshotOptions } from "../server/replica/snapshot-source.js";
import { openReadable } from "../snapshot/open-readable.js";
import { type FollowedGeneration, followGeneration } from "../snapshot/reader/follow-generation.js";
import type { Store } from "../snapshot/store/store.js";
import type { CommandContext } from "./context.js";
import { spaceContext } from "./for-each-space.js";
import { namedGeneration } from "./generation-at.js";
import { missingSnapshot, warnUnreachable } from "./missing-snapshot.js";
import { placedAt } from "./placed-at.js";
import { explained, printProblems } from "./report-failure.js";
import { answeredText } from "./request-text.js";
import type { Terminal } from "./terminal.js";

export interface ServeFlags {
  /** A folder, or `s3://bucket/prefix`, instead of the configured output. */
  from?: string;
  /** Serves the generation that was current at this time. */
  at?: string;
  port?: number;
  host?: string;
  also?: string[];
  assets?: string;
  strict?: boolean;
  redirect?: boolean;
  fault?: string[];
  latency?: string;
  openapi?: boolean;
  explorer?: boolean;
  /** Receives the pages' address once they are served; then no other address is printed. */
  onExplorer?: (url: string) => void;
}

/** `offprint serve`: serves until a signal. */
export async function runServe(context: CommandContext, flags: ServeFlags): Promise<number> {
  const { terminal, signal } = context;
  const behaviour = behaviourOf(flags);
  const written = await context.spaces({ port: flags.port, host: flags.host, tokenOptional: true });
  const fleet = flags.from === undefined ? written : placedAt(context, written, flags.from);
  const config = listeningConfig(fleet);
  if (flags.openapi) return printOpenApi(context, config, context.version);
  const snapshots: OpenSnapshot[] = [];
  try {
    await openAll(context, fleet, { host: config.serve.host, at: flags.at }, snapshots);
    for (const file of flags.also ?? []) {
      const others = await context.spaces({ tokenOptional: true }, file);
      await openAll(context, others, { host: config.serve.host, at: flags.at }, snapshots);
    }
    if (snapshots.length > 1) checkTokens(snapshots);
    const [first, ...others] = snapshots.map(({ served }) => served);
    const explored = flags.explorer ? await explorerOf(context, snapshots) : undefined;
    const replica = await startReplica({
      ...first!,
      ...behaviour,
      others,
      ...(explored === undefined ? {} : { pages: explored.pages }),
      dialect: config.serve.dialect,
      port: config.serve.port,
      host: config.serve.host,
      version: context.version,
      ...(terminal.verbose ? { onAnswered: (answered) => terminal.detail(answeredText(answered)) } : {}),
      onError: failureTeller(context),
      onStandIn: (asked, answered) =>
        terminal.warn(printable(`The snapshot has no ${asked}: answered from ${answered}. --strict answers 404.`)),
    });
    try {
      const pages = explored && `${replica.url}${explored.pages.prefix}/`;
      if (flags.onExplorer === undefined) {
        printStart(terminal, replica.url, snapshots);
        if (pages !== undefined) {
          terminal.say(`Look at it: ${pages}`);
          if (!acceptsAnyone(first!.tokens))
            terminal.say(context.spelled("It asks for a token that may read drafts; `offprint open` needs none."));
        }
      } else flags.onExplorer(`${pages}?key=${explored?.ticket}`);
      terminal.say("Stop it with Ctrl-C.");
      document(terminal, replica.url, snapshots);
      if (!signal.aborted) await once(signal, "abort");
      return 0;
    } finally {
      await replica.close();
    }
  } finally {
    for (const { followed } of snapshots) followed.close();
  }
}

/** Prints why requests fail. Checks the snapshot only once, or a client could make us read it again and again. */
function failureTeller(context: CommandContext): (error: unknown) => void {
  const tell = (error: unknown) => context.terminal.warn(printable(`A request failed: ${messageOf(error)}`));
  let isFirst = true;
  return (error) => {
    if (!isFirst) return tell(error);
    isFirst = false;
    void explained(context, error).then(tell);
  };
}

/** The pages, and a ticket that opens them once instead of a token. */
async function explorerOf({ terminal }: CommandContext, snapshots: readonly OpenSnapshot[]) {
  const { createExplorer } = await import("../server/explorer/explorer.js");
  const { prefix } = await import("../server/explorer/parts/page.js");
  const ticket = randomBytes(24).toString("base64url");
  const open = createExplorer({
    spaces: snapshots.map(({ config, store }) => ({
      config,
      store,
      ignore: config.check.ignore,
      check: async (since) => (await import("../content/check/usage/check-in-thread.js")).checkInThread(config, since),
      unused: async () => (await import("../content/check/usage/check-in-thread.js")).unusedInThread(config),
    })),
    ticket,
    onError: (error) => terminal.warn(printable(`A page could not be made: ${messageOf(error)}`)),
  });
  return { pages: { prefix, open }, ticket };
}

/** The configuration with the address to listen on: all spaces share one. */
function listeningConfig({ spaces }: Fleet): Config {
  const [first, ...others] = spaces;
  const addressOf = ({ config: { serve } }: SpaceConfig) => `${serve.host} ${serve.port} ${serve.dialect}`;
  const other = others.find((space) => first !== undefined && addressOf(space) !== addressOf(first));
  if (first === undefined || other === undefined) return first!.config;
  const message = `${first.name} and ${other.name} differ in serve.host, serve.port or serve.dialect.`;
  const hint = "All spaces are served at one address: write it below defaults:, or select spaces with --space.";
  throw new OffprintError("USAGE", message, { hint });
}

async function openAll(
  context: CommandContext,
  { spaces, isFleet }: Fleet,
  served: Served,
  opened: OpenSnapshot[],
): Promise<void> {
  const missing: OffprintError[] = [];
  const width = Math.max(...spaces.map(({ name }) => name.length));
  for (const { name, config } of spaces) {
    try {
      opened.push(await openSnapshot(isFleet ? spaceContext(context, name, width) : context, config, served));
    } catch (error) {
      if (!isOffprintError(error, "SNAPSHOT_MISSING")) throw error;
      missing.push(error);
    }
  }
  if (missing[0] !== undefined && missing.length === spaces.length) throw missing[0];
  for (const error of missing) context.terminal.warn(`${error.message} It is not served.`);
}

/** Milliseconds between checks of a store for a newer generation. */
const storeIntervalMs = 10_000;

interface OpenSnapshot {
  terminal: Terminal;
  config: Config;
  store: Store;
  followed: FollowedGeneration;
  served: SnapshotOptions & { tokens: NonNullable<SnapshotOptions["tokens"]> };
}

interface Served {
  host: string;
  at: string | undefined;
}

async function openSnapshot(context: CommandContext, config: Config, { host, at }: Served): Promise<OpenSnapshot> {
  const { terminal } = context;
  const snapshot = openReadable(config.output, {
    onUnreachable: warnUnreachable(terminal),
    onNote: (note) => printProblems(context, [note], "yellow"),
  });
  const { store } = snapshot;
  const fixed = at === undefined ? undefined : await namedGeneration(terminal, store, at, "--at");
  const followed = await followGeneration(store, {
    current: fixed === undefined ? snapshot.current : async () => fixed,
    // Each check of a store is a request.
    ...(config.output.store === undefined ? {} : { intervalMs: storeIntervalMs }),
    onChange: ({ manifest }) =>
      terminal.say(`Serving generation ${manifest.generation} now (cv ${manifest.cv ?? "unknown"}).`),
    onProblem: (error) => terminal.warn(printable(`A newer generation cannot be read yet: ${messageOf(error)}`)),
  });
  if (followed === undefined) throw missingSnapshot(config);
  const links = config.serve.tags ? config.resolve.links : undefined;
  const served = { reader: followed.reader, store, tokens: acceptedTokens(config, host), links };
  return { terminal, config, store, followed, served };
}

/** `serve.tokens`, else the source's token; without either every token, if only this machine can connect. */
function acceptedTokens({ source, serve }: Config, host: string): OpenSnapshot["served"]["tokens"] {
  const isLocal = isLoopbackHost(host);
  const { management } = source;
  const known = (token: string | undefined) => (token === undefined ? (isLocal ? undefined : []) : [token]);
  const headers = { personal: known(management?.token), oauth: known(management?.oauthToken) };
  const configured = serve.tokens.public.length + serve.tokens.preview.length > 0;
  if (configured) return { ...serve.tokens, ...headers };
  if (source.token !== "") return { public: [], preview: [source.token], ...headers };
  if (isLocal) return { public: [], preview: [], ...headers };
  throw new OffprintError("USAGE", `Without a token nobody but this machine may read, and ${host} is open to others.`, {
    hint: "Write serve.tokens, or set the variable that source.token names.",
  });
}

function checkTokens(snapshots: readonly OpenSnapshot[]): void {
  const owners = new Map<string, string>();
  for (const { config, served } of snapshots) {
    const tokens = [...served.tokens.public, ...served.tokens.preview];
    const hint = "Write serve.tokens in each configuration: the token of a request decides which snapshot answers.";
    if (tokens.length === 0) {
      throw new OffprintError("USAGE", `${config.output.dir} has no token of its own.`, { hint });
    }
    for (const token of tokens) {
      const owner = owners.get(token);
      if (owner !== undefined) {
        throw new OffprintError("USAGE", `${owner} and ${config.output.dir} are served for the same token.`, { hint });
      }
      owners.set(token, config.output.dir);
    }
  }
}

type Behaviour = Pick<StartReplicaOptions, "faults" | "latency" | "strict" | "redirect" | "localAssets">;

function behaviourOf({ fault = [], latency, strict = false, redirect = true, assets }: ServeFlags): Behaviour {
  const faults = fault.map((text) => {
    const rule = parseFault(text);
    if (rule !== undefined) return rule;
    throw new OffprintError("USAGE", `--fault ${text} is not a kind and a share.`, {
      hint: `Write 429=10% or reset=1/20; kinds: ${faultKinds.join(", ")}.`,
    });
  });
  const wait = latency === undefined ? undefined : parseLatency(latency);
  if (latency !== undefined && wait === undefined) {
    throw new OffprintError("USAGE", `--latency ${latency} is not a time.`, { hint: "Write 200ms, 2s or 100ms-2s." });
  }
  if (assets !== undefined && assets !== "local") {
    throw new OffprintError("USAGE", `--assets ${assets} is not known.`, { hint: "Write --assets local." });
  }
  return { faults, ...(wait && { latency: wait }), strict, redirect, localAssets: assets === "local" };
}

function printStart(terminal: Terminal, url: string, snapshots: readonly OpenSnapshot[]): void {
  for (const { config, followed, served, terminal: own } of snapshots) {
    const { generation, cv } = followed.reader().manifest;
    const from = snapshots.length === 1 ? "" : ` of ${config.output.dir}`;
    own.say(`Serving generation ${generation}${from} (cv ${cv ?? "unknown"}) at ${url}.`);
    if (served.tokens.public.length + served.tokens.preview.length === 0) {
      own.warn("Any token is accepted: neither serve.tokens nor source.token is set.");
    }
  }
  const [first] = snapshots;
  const { tokens } = first!.served;
  const accepted = [...tokens.preview, ...tokens.public];
  const token = accepted.length === 0 ? "any" : accepted.includes(demoToken) ? demoToken : "<token>";
  // Not in the address: tokens in addresses are masked.
  terminal.say(`Try it: curl -LG "${url}/v2/cdn/stories" -d per_page=1 -d "token=${token}"`);
}

/** Each of several spaces has a document. With configurations from --also, only the first one has. */
function document(terminal: Terminal, url: string, snapshots: readonly OpenSnapshot[]): void {
  const documented = snapshots.filter((snapshot, at) => at === 0 || snapshot.terminal !== terminal);
  for (const { followed, terminal: own } of documented) {
    const { generation, cv } = followed.reader().manifest;
    own.document({ schema: 1, url, generation, cv });
  }
}

function printOpenApi({ terminal, flags }: CommandContext, { serve }: Config, version: string): number {
  const document = openApiDocument(version, `http://${serve.host}:${serve.port}`);
  if (flags.json) terminal.document(document);
  else terminal.text(JSON.stringify(document, null, 2), "json");
  return 0;
}
