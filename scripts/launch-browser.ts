import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The browser; installed from the packages of the system where it is missing. */
export async function launchBrowser(): Promise<Browser> {
  const paths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  if (!paths.some(existsSync)) {
    for (const args of [["update"], ["install", "--yes", "--no-install-recommends", "chromium"]]) {
      spawnSync("apt-get", args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
    }
  }
  const executablePath = paths.find(existsSync);
  if (executablePath === undefined) throw new Error("No chromium is installed, and it could not be installed.");
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
}
