declare module "markdown-it-emoji" {
  import type { PluginSimple } from "markdown-it";

  export const full: PluginSimple;
}
