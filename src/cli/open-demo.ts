import type { Config } from "../config/config.js";
import { demoSource } from "../crawl/space-identity.js";

/** Starts the embedded demo space where the configuration names it. */
export async function openDemo(config: Config) {
  if (config.source.url !== demoSource) return undefined;
  const { startDemo } = await import("../../demo/start-demo.js");
  return startDemo();
}
