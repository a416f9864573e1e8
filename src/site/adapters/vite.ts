import { type OpenSnapshotOptions, pinGeneration, watchSnapshot } from "../../index.js";

/** Which snapshot the module `offprint:content` opens, and how. */
export interface OffprintViteOptions {
  /** The output folder; default: `output.dir` of `sync.config.yaml` in the working folder. */
  dir?: string;
  /** What `openSnapshot` takes beside the folder. */
  snapshot?: OpenSnapshotOptions;
}

/** The hooks of the plugin, as Vite 5 and later call them. */
export interface OffprintVitePlugin {
  name: "offprint";
  config(config: ServerSettings, environment: { command: "build" | "serve" }): Promise<ServerSettings>;
  resolveId(id: string): string | undefined;
  load(id: string, options?: { ssr?: boolean }): string | undefined;
  configureServer(server: DevelopmentServer): Promise<void>;
}

/** What is read and set of Vite's configuration. */
export interface ServerSettings {
  ssr?: { external?: string[] | true | undefined } | undefined;
}

/** What is used of a development server: of Vite 5, and of the environments that later ones have. */
export interface DevelopmentServer {
  environments?: Readonly<Record<string, { moduleGraph: ModuleGraph; hot: Channel }>>;
  moduleGraph: ModuleGraph;
  ws: Channel;
  httpServer: { once(event: "close", listener: () => void): unknown } | null;
  config: { logger: { info(message: string, options?: { timestamp?: boolean }): void } };
}

/** The modules that a server has loaded. */
export interface ModuleGraph {
  getModuleById(id: string): LoadedModule | undefined;
  invalidateModule(module: LoadedModule): void;
}

/** A module that a server has loaded. */
export interface LoadedModule {
  id: string | null;
}

/** Where browsers and module runners listen. */
export interface Channel {
  send(message: { type: "full-reload" }): void;
}

const moduleName = "offprint:content";
/** A null character in front: other plugins leave such a module alone. */
const moduleId = `\0${moduleName}`;

/**
 * A plugin of Vite 5 or later, and of what is built on it: `plugins: [offprint(), sveltekit()]`. Code of the server reads
 * the snapshot by `import { snapshot } from "offprint:content"`, which is typed by `/// <reference types="offprint/vite/client" />`.
 *
 * A build notes the newest generation before anything starts, so that all of its workers read the same one. The
 * development server reads the newest one and loads every page again when another is committed. The package stays outside
 * of what is bundled.
 */
export function offprint({ dir, snapshot = {} }: OffprintViteOptions = {}): OffprintVitePlugin {
  return {
    name: "offprint",
    /** @throws OffprintError `SNAPSHOT_MISSING` before a build that would have nothing to show; as `pinGeneration` */
    async config(config, { command }) {
      if (command === "build") await pinGeneration(dir, snapshot);
      return config.ssr?.external === true ? {} : { ssr: { external: ["offprint"] } };
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

/** For browsers, where an import of it is left: nothing of the content, and a message for whoever runs it. */
const browserModule = [
  `throw new Error(${JSON.stringify(
    `"${moduleName}" reads files and works on the server only. Import it in code that no browser loads, such as +page.server.ts, or behind \`if (import.meta.env.SSR)\`.`,
  )});`,
  "export const snapshot = undefined;",
  "",
].join("\n");

/** Has the modules that read the snapshot evaluated again, and the pages asked for again. */
function reload(server: DevelopmentServer, generation: number): void {
  const places = Object.values(server.environments ?? { all: { moduleGraph: server.moduleGraph, hot: server.ws } });
  for (const { moduleGraph } of places) {
    const loaded = moduleGraph.getModuleById(moduleId);
    if (loaded !== undefined) moduleGraph.invalidateModule(loaded);
  }
  for (const { hot } of places) hot.send({ type: "full-reload" });
  server.config.logger.info(`offprint: generation ${generation}`, { timestamp: true });
}
