import type { Config } from "../../config/config.js";
import { longestGapMs, parseCron } from "../../config/cron.js";
import { exportMemory } from "../../content/tree/export-memory.js";
import type { Problem } from "../../lib/errors.js";
import { usableMemory } from "../../lib/usable-memory.js";
import { openOutput } from "../../snapshot/open-output.js";
import { askUpstream, spaceIdOf, type UpstreamFacts } from "./ask-upstream.js";
import { checkConsumers, checkHooks, gatherConsumers } from "./check-consumers.js";
import { checkContract } from "./check-contract.js";
import { checkDisk, gatherDisk } from "./check-disk.js";
import { checkFolder, type FolderFacts, gatherFolder, snapshotBytes } from "./check-folder.js";
import { checkExportMemory, checkNode, gatherNode } from "./check-node.js";
import { checkProxy } from "./check-proxy.js";
import { checkSchedule, findScheduledWorkflows } from "./check-schedule.js";
import { checkContentLock, checkPaths, checkWebhooks } from "./check-settings.js";
import { checkStore, gatherStore } from "./check-store.js";
import { checkClock, checkHost, checkSpaceLanguages, checkToken } from "./check-upstream.js";
import { type Finding, finding } from "./diagnosis-finding.js";

export interface SpaceDiagnosisOptions {
  /** Undefined if invalid: checks that depend on it are skipped. */
  config: Config | undefined;
  outputDir: string;
  /** Address of the upstream. Undefined: don't ask it. */
  url: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
  /** Test the storage of `output.store`: writes objects, removes them, and stores the result. */
  triesStorage?: boolean;
  /** Compare every stored record with the API. */
  readsContract?: boolean;
}

/** Checks the configuration and this process. @param file the configuration file, as shown to the user */
export function diagnoseProcess(file: string, configProblems: readonly Problem[]): Finding[] {
  const ofFile =
    configProblems.length === 0
      ? [finding("CONFIG_OK", `${file} is valid.`)]
      : configProblems.map(({ message, hint }) => finding("CONFIG_PROBLEM", message, hint));
  return [...ofFile, ...checkNode(gatherNode())];
}

/** In the order in which to fix them. Writes only trial files, and objects of a storage test. @throws signal.reason */
export async function diagnoseSpace(options: SpaceDiagnosisOptions): Promise<Finding[]> {
  const { config, outputDir, url, env, signal, triesStorage = false } = options;
  const setting = config?.output.store;
  const [upstream, disk, folder, store] = await Promise.all([
    config === undefined || url === undefined ? undefined : askUpstream({ config, url, env, signal }),
    gatherDisk(outputDir),
    gatherFolder(config?.output ?? { dir: outputDir }),
    setting === undefined ? undefined : gatherStore(setting, env, triesStorage),
  ]);
  const ofStore = store === undefined || setting === undefined ? [] : checkStore(store, setting);
  const ofProject = config === undefined ? [] : await checkProject(config, options, folder, upstream);
  return [
    ...checkProxy(env, config?.source.url),
    ...(upstream === undefined || config === undefined ? [] : checkUpstream(upstream, config, folder)),
    ...checkDisk(disk, snapshotBytes(folder.manifest)),
    ...ofStore,
    // Reading the snapshot reports problems of the bucket again.
    ...ofProject.filter(({ code }) => !ofStore.some((known) => known.code === code)),
  ];
}

function checkUpstream(upstream: UpstreamFacts, config: Config, { manifest }: FolderFacts): Finding[] {
  return [
    ...checkHost(upstream),
    ...checkToken(upstream, config),
    ...checkSpaceLanguages(upstream, config, manifest?.space.languages),
    ...checkClock(upstream),
  ];
}

async function checkProject(
  config: Config,
  { env, readsContract = false }: SpaceDiagnosisOptions,
  folder: FolderFacts,
  upstream: UpstreamFacts | undefined,
): Promise<Finding[]> {
  const { schedule, baseDir, onCommit, consumers: setting } = config;
  const consumers = await gatherConsumers(config.output);
  const { manifest, state } = folder;
  const nowMs = Date.now();
  const spaceId = upstream === undefined ? undefined : spaceIdOf(upstream);
  const workflows = await findScheduledWorkflows(baseDir);
  const current = manifest && { generation: manifest.generation, committedAtMs: Date.parse(manifest.committedAt) };
  const known = Object.keys(onCommit);
  const { cron, timeZone } = schedule;
  const cronIntervalMs = cron === undefined ? undefined : longestGapMs(parseCron(cron, timeZone), nowMs);
  return [
    ...checkPaths(config),
    ...checkFolder(folder, { config, spaceId, nowMs }),
    ...(manifest === undefined ? [] : checkExportMemory(exportMemory(config, manifest), usableMemory())),
    ...checkSchedule({ schedule, cronIntervalMs, runs: state.runs, workflows }),
    ...checkWebhooks(config),
    ...(await checkHooks(config, env)),
    ...(await checkContract({ store: openOutput(config.output).store, manifest, state, config }, readsContract)),
    ...(await checkContentLock(config.check)),
    ...checkConsumers(consumers, { known, current, keepMs: setting.keepMs, maxAgeMs: schedule.maxAgeMs, nowMs }),
  ];
}
