import { once } from "node:events";
import { openReader } from "../reader/open-reader.js";
import { startReplica } from "../replica/server.js";
import { currentManifest } from "../snapshot/generations.js";
import { openOutput } from "../snapshot/open-output.js";
import type { CommandContext } from "./context.js";
import { missingSnapshot } from "./missing-snapshot.js";
import { printable } from "./terminal.js";

/** `offprint serve` */
export async function runServe(context: CommandContext, flags: { port?: number; host?: string }): Promise<number> {
  const { terminal, signal } = context;
  const config = await context.config(flags);
  const { store } = openOutput(config.output.dir);
  const manifest = await currentManifest(store);
  if (manifest === undefined) throw missingSnapshot(config);
  const reader = await openReader(store, manifest);
  const { tokens, dialect, port, host } = config.serve;
  const replica = await startReplica({
    reader: () => reader,
    store,
    tokens: acceptedTokens(config.source.token, tokens),
    dialect,
    port,
    host,
    onError: (error) => terminal.warn(printable(`A request failed: ${error instanceof Error ? error.message : error}`)),
  });
  terminal.say(
    `Serving generation ${manifest.generation} (cv ${manifest.cv ?? "unknown"}) at ${replica.url}. Stop it with Ctrl-C.`,
  );
  terminal.document({ schema: 1, url: replica.url, generation: manifest.generation, cv: manifest.cv });
  try {
    if (!signal.aborted) await once(signal, "abort");
    return 0;
  } finally {
    await replica.close();
  }
}

/** Without tokens in the configuration, the source's own token reads everything. */
function acceptedTokens(sourceToken: string, tokens: { public: string[]; preview: string[] }) {
  const configured = tokens.public.length + tokens.preview.length > 0;
  return configured || sourceToken === "" ? tokens : { public: [], preview: [sourceToken] };
}
