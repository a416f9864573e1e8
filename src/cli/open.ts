import { spawn } from "node:child_process";
import type { CommandContext } from "./context.js";
import { runServe } from "./serve.js";

/** `offprint open`: serves the pages on a free local port, and opens a browser if a person is there. */
export async function runOpen(
  context: CommandContext,
  { port = 0, browser }: { port?: number; browser: boolean },
): Promise<number> {
  const { terminal, isAttended } = context;
  return runServe(context, {
    port,
    host: "127.0.0.1",
    explorer: true,
    onExplorer(url) {
      // The address works once: useless to anyone who reads it later on a screen or in a process list.
      terminal.say(`Open it: ${url}`);
      if (isAttended && browser) openBrowser(url);
    },
  });
}

/** Opens an address in the local browser. If that fails, the person still has the printed address. */
function openBrowser(url: string): void {
  const commands: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", win32: "explorer" };
  const command = commands[process.platform] ?? "xdg-open";
  const child = spawn(command, [url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
