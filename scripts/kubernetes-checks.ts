import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";
import { type LoadTool, refuse } from "./recipe-checks.js";
import { runProcess, runWell } from "./run-process.js";

/** @param offprint the command, which has to take the configuration of each folder */
export interface KubernetesTools {
  load: LoadTool;
  offprint: string;
  /** Where the tools are installed, in `tools`. */
  folder: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Folders for `kubectl apply -k`: kustomize makes manifests of them; the schemas of Kubernetes' own interface take these; they
 * promise what no schema knows; and Offprint takes their configuration. @returns the kinds in each folder
 */
export async function checkKustomizations(recipes: string, tools: KubernetesTools): Promise<string[]> {
  const { env, folder, offprint } = tools;
  const names = await readdir(recipes);
  const kinds: string[] = [];
  for (const name of names) {
    const text = await runWell("kubectl", ["kustomize", join(recipes, name)], { cwd: folder, env }).catch((error) => {
      throw new Error(`kubectl is missing, or fails: apt-get install kubernetes-client (Debian). ${error}`);
    });
    const manifests = parseAllDocuments(text).map((document) => document.toJS());
    await checkManifests(manifests, tools);
    refuse(name, unlinked(manifests, await readFile(join(recipes, name, "kustomization.yaml"), "utf8")));
    const config = join(recipes, name, "sync.config.yaml");
    const variables = valuesFor(await readFile(config, "utf8"));
    const { text: said } = await runProcess(offprint, ["status", "--offline", "-c", config], {
      cwd: folder,
      env: { ...env, ...variables },
    });
    if (/CONFIG_|USAGE|UNEXPECTED/.test(said)) throw new Error(`the configuration of ${name}: ${said}`);
    kinds.push(`${name} (${manifests.map(({ kind }) => kind).join(", ")})`);
  }
  return kinds;
}

/** A value for each variable that a configuration names, and a bucket and a queue that refuse at once. */
function valuesFor(config: string): NodeJS.ProcessEnv {
  const names = [...config.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => [name, "a-value-of-some-length"]);
  const nowhere = {
    AWS_ENDPOINT_URL_S3: "http://127.0.0.1:9",
    AWS_MAX_ATTEMPTS: "1",
    QUEUE_URL: "redis://127.0.0.1:9",
  };
  const key = { AWS_ACCESS_KEY_ID: "none", AWS_SECRET_ACCESS_KEY: "none" };
  return { ...Object.fromEntries(names), ...nowhere, ...key };
}

// biome-ignore lint/suspicious/noExplicitAny: parsed documents.
async function checkManifests(manifests: any[], { load, folder }: KubernetesTools): Promise<void> {
  await refuseUnknownFields(manifests, join(folder, "tools"));
  for (const manifest of manifests) {
    const { [manifest.kind]: Model } = await load(`kubernetes-models/${manifest.apiVersion}`);
    new Model(manifest).validate();
    refuse(`${manifest.kind} ${manifest.metadata.name}`, lacking(manifest));
  }
}

/** What one manifest needs of others: its configuration, its image by the kustomization, a budget where several run. */
// biome-ignore lint/suspicious/noExplicitAny: parsed documents.
function unlinked(manifests: any[], kustomization: string): string[] {
  const ours = manifests.filter(({ kind }) => kind === "Deployment" || kind === "CronJob");
  const [config] = manifests.filter(({ kind }) => kind === "ConfigMap");
  return ours.flatMap(({ kind, metadata, spec }) => {
    const pod = kind === "CronJob" ? spec.jobTemplate.spec.template.spec : spec.template.spec;
    const [container] = pod.containers;
    const isConfigured = JSON.stringify(pod.volumes).includes(`"name":"${config?.metadata.name}"`);
    const hasBudget = manifests.some(
      (other) => other.kind === "PodDisruptionBudget" && other.spec.selector.matchLabels.app === metadata.name,
    );
    return [
      ...(isConfigured ? [] : ["no ConfigMap"]),
      ...(container.envFrom?.[0].secretRef.name === "offprint" ? [] : ["no secret"]),
      ...(/:1$/.test(container.image) && kustomization.includes("images:") ? [] : [`image ${container.image}`]),
      ...(spec.replicas > 1 && !hasBudget ? ["no PodDisruptionBudget"] : []),
    ];
  });
}

/** The schemas take fields that they do not know, as a cluster does; the types that are made of them do not. */
async function refuseUnknownFields(
  manifests: readonly { apiVersion: string; kind: string }[],
  tools: string,
): Promise<void> {
  const text = manifests.map(
    (manifest, at) =>
      `import type { I${manifest.kind} as Kind${at} } from "kubernetes-models/${manifest.apiVersion}";
export const manifest${at}: Kind${at} = ${JSON.stringify(manifest, undefined, 1)};\n`,
  );
  await writeFile(join(tools, "manifests.ts"), text.join(""));
  const flags = "--noEmit --strict --skipLibCheck --module nodenext --target es2022 manifests.ts".split(" ");
  const compiler = resolve("node_modules", "typescript", "bin", "tsc");
  await runWell(process.execPath, [compiler, ...flags], { cwd: tools, env: process.env });
}

// biome-ignore lint/suspicious/noExplicitAny: a parsed document, which its schema has been held against.
function lacking(manifest: any): string[] {
  const { kind, spec = {} } = manifest;
  const wrong = (isRight: boolean, what: string) => (isRight ? [] : [what]);
  const pod = kind === "CronJob" ? spec.jobTemplate.spec.template.spec : spec.template?.spec;
  const [container] = pod?.containers ?? [];
  const values = (container?.env ?? []).filter((one: { value?: string }) => one.value !== undefined);
  return [
    ...(kind === "CronJob" ? wrong(spec.concurrencyPolicy === "Forbid", "concurrencyPolicy is not Forbid") : []),
    ...(kind === "CronJob" ? wrong(spec.startingDeadlineSeconds > 0, "no startingDeadlineSeconds") : []),
    ...(kind === "CronJob" ? wrong(pod.restartPolicy === "Never", "restartPolicy is not Never") : []),
    ...(kind === "Deployment" ? wrong(container.livenessProbe?.httpGet.path === "/healthz", "liveness") : []),
    ...(kind === "Deployment" ? wrong(container.readinessProbe?.httpGet.path === "/readyz", "readiness") : []),
    ...(kind === "Deployment" && container.args[0] !== "worker"
      ? wrong(spec.strategy?.type === "Recreate", "two at once")
      : []),
    ...(pod === undefined ? [] : wrong(pod.terminationGracePeriodSeconds >= 30, "terminationGracePeriodSeconds")),
    ...(spec.replicas > 1 ? wrong(pod.topologySpreadConstraints?.length > 0, "no spread over nodes") : []),
    ...(pod === undefined ? [] : wrong(!/token|secret/i.test(container.args.join()), "a secret in args")),
    ...wrong(values.length === 0, "a variable with its value in the manifest"),
    ...(pod === undefined ? [] : unrestricted(pod)),
  ];
}

/** What a namespace of the level `restricted` (Pod Security Standards) refuses, and a root file system that can be written. */
// biome-ignore lint/suspicious/noExplicitAny: a parsed document.
function unrestricted({ securityContext: pod, containers, volumes = [] }: any): string[] {
  const wrong = (isRight: boolean, what: string) => (isRight ? [] : [what]);
  return [
    ...wrong(pod?.runAsNonRoot === true && pod.runAsUser > 0, "may run as root"),
    ...wrong(pod?.seccompProfile?.type === "RuntimeDefault", "seccompProfile"),
    ...wrong(pod?.fsGroupChangePolicy === "OnRootMismatch", "each start changes the owner of every file"),
    // biome-ignore lint/suspicious/noExplicitAny: a parsed document.
    ...containers.flatMap(({ securityContext: own, resources, volumeMounts = [] }: any) => [
      ...wrong(resources?.limits?.memory !== undefined, "no limit of memory"),
      ...wrong(own?.allowPrivilegeEscalation === false, "allowPrivilegeEscalation"),
      ...wrong(own?.capabilities?.drop?.includes("ALL") === true, "capabilities"),
      ...wrong(own?.readOnlyRootFilesystem === true, "readOnlyRootFilesystem"),
      ...volumeMounts.flatMap(({ name }: { name: string }) => {
        // biome-ignore lint/suspicious/noExplicitAny: a parsed document.
        const isThere = name === "data" || volumes.some((volume: any) => volume.name === name);
        return wrong(isThere, `mounts ${name}, which is not there`);
      }),
    ]),
  ];
}
