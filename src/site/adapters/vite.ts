import { buildInfo, type OpenSnapshotOptions, type SnapshotPlace, watchSnapshot } from "../../index.js";

/** Which snapshot `offprint:content` opens, and how. */
export type OffprintViteOptions = SnapshotPlace;

/** The plugin hooks of Vite 5 and later. */
export interface OffprintVitePlugin {
  name: "offprint";
  config(config: ServerSettings, environment: { command: "build" | "serve" }): Promise<ServerSettings>;
  configEnvironment(name: string, settings: EnvironmentSettings): EnvironmentSettings | undefined;
  resolveId(id: string): string | undefined;
  load(id: string, options?: { ssr?: boolean }): string | undefined;
  configureServer(server: DevelopmentServer): Promise<void>;
  generateBundle(this: Bundle): void;
}

/** The part of the context of Rollup's output hooks in use. */
export interface Bundle {
  emitFile(file: { type: "asset"; fileName: string; source: string }): unknown;
}

/** The parts of Vite's configuration that are read and set. */
export interface ServerSettings {
  ssr?: { external?: string[] | true | undefined } | undefined;
}

/** The parts of an environment's configuration that are read and set: of Vite 6 and later. */
export interface EnvironmentSettings {
  resolve?: { external?: string[] | true | undefined } | undefined;
}

/** The parts of a development server in use: of Vite 5, and of later environments. */
export interface DevelopmentServer {
  environments?: Readonly<Record<string, { moduleGraph: ModuleGraph; hot: Channel }>>;
  moduleGraph: ModuleGraph;
  ws: Channel;
  httpServer: { once(event: "close", listener: () => void): unknown } | null;
  config: { logger: { info(message: string, options?: { timestamp?: boolean }): void } };
}

export interface ModuleGraph {
  getModuleById(id: string): LoadedModule | undefined;
  invalidateModule(module: LoadedModule): void;
}

export interface LoadedModule {
  id: string | null;
}

/** Sends messages to browsers and module runners. */
export interface Channel {
  send(message: { type: "full-reload" }): void;
}

const moduleName = "offprint:content";
/** The null character keeps other plugins away. */
const moduleId = `\0${moduleName}`;

/**
 * A plugin for Vite 5 or later and frameworks on it: `plugins: [offprint(), sveltekit()]`. Server
 * code reads the snapshot with `import { snapshot } from "offprint:content"`; `/// <reference
 * types="offprint/vite/client" />` adds its types. A build pins the newest generation before its
 * workers start, so they all read the same one. The development server reads the newest one, and
 * reloads every page when another is committed. A build also writes `offprint.json`, which names its
 * generation. The package is not bundled.
 */
export function offprint({ dir, snapshot = {} }: OffprintViteOptions = {}): OffprintVitePlugin {
  let info: Awaited<ReturnType<typeof buildInfo>> | undefined;
  return {
    name: "offprint",
    /** @throws OffprintError `SNAPSHOT_MISSING` if a build has no snapshot; as `pinGeneration` */
    async config(config, { command }) {
      if (command === "build") info = await buildInfo(dir, snapshot);
      return config.ssr?.external === true ? {} : { ssr: { external: ["offprint"] } };
    },
    /** Astro prerenders in an environment of its own, which does not have the settings of `ssr`. */
    configEnvironment(name, { resolve }) {
      if (name === "client" || resolve?.external === true) return undefined;
      return { resolve: { external: ["offprint"] } };
    },
    resolveId: (id) => (id === moduleName ? moduleId : undefined),
    load(id, options) {
      if (id !== moduleId) return undefined;
      return options?.ssr === true ? serverModule(dir, snapshot) : browserModule;
    },
    async configureServer(server) {
      const watch = await watchSnapshot(dir, (generation) => reload(server, generation), snapshot);
      server.httpServer?.once("close", () => watch.close());
    },
    /** Also for servers: Astro 5 has no build for the browser where no page has a script. */
    generateBundle() {
      if (info !== undefined) this.emitFile({ type: "asset", ...info });
    },
  };
}

function serverModule(dir: string | undefined, options: OpenSnapshotOptions): string {
  const place = dir === undefined ? "undefined" : JSON.stringify(dir);
  return [
    'import { openSnapshot } from "offprint";',
    `export const snapshot = await openSnapshot(${place}, ${JSON.stringify(options)});`,
    "",
  ].join("\n");
}

/** What browsers get from an import of it: no content, only an error message. */
const browserModule = [
  `throw new Error(${JSON.stringify(
    `"${moduleName}" reads files and works on the server only. Import it in code that no browser loads, such as +page.server.ts, or behind \`if (import.meta.env.SSR)\`.`,
  )});`,
  "export const snapshot = undefined;",
  "",
].join("\n");

/** Invalidates the modules that read the snapshot, and reloads the pages. */
function reload(server: DevelopmentServer, generation: number): void {
  const places = Object.values(server.environments ?? { all: { moduleGraph: server.moduleGraph, hot: server.ws } });
  for (const { moduleGraph } of places) {
    const loaded = moduleGraph.getModuleById(moduleId);
    if (loaded !== undefined) moduleGraph.invalidateModule(loaded);
  }
  for (const { hot } of places) hot.send({ type: "full-reload" });
  server.config.logger.info(`offprint: generation ${generation}`, { timestamp: true });
}
