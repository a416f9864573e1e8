import { type RunningReplica, type StartReplicaOptions, startReplica } from "../../src/server/replica/http/server.js";
import type { Reader } from "../../src/snapshot/reader/reader.js";
import { interfaceProblems } from "./interface-validator.js";
import { type SampleContent, sampleSnapshot } from "./sample-snapshot.js";

/** One answer, read whole. */
interface Read {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined when it is empty. */
  body: unknown;
}

/** A replica of sample content on a free port, and how to ask it. */
export interface SampleReplica extends RunningReplica {
  reader: Reader;
  /**
   * Requests a path with a token; does not follow redirects. Throws on an answer that does not
   * match the OpenAPI document.
   */
  get(path: string, init?: RequestInit): Promise<Read>;
  /**
   * Requests the published stories listing at the snapshot's cv, and returns the ids of its stories
   * in order.
   */
  ids(query: string): Promise<number[]>;
}

export async function startSample(
  content: SampleContent,
  options: Partial<StartReplicaOptions> = {},
): Promise<SampleReplica> {
  const { store, reader } = await sampleSnapshot(content);
  const running = await startReplica({ reader: () => reader, store, redirect: false, ...options });
  const get = async (path: string, init: RequestInit = {}): Promise<Read> => {
    const url = `${running.url}${path}${/[?&]token=/.test(path) ? "" : `${path.includes("?") ? "&" : "?"}token=any`}`;
    const response = await fetch(url, { redirect: "manual", ...init });
    const text = await response.text();
    const { status, headers } = response;
    const body = /json/.test(headers.get("content-type") ?? "") && text !== "" ? JSON.parse(text) : undefined;
    const problems = interfaceProblems({ url, method: init.method ?? "GET", status, headers, body });
    if (problems.length > 0) throw new Error(`${status} ${path} is not as described: ${problems.join("; ")}`);
    return { status, headers, text, body };
  };
  return {
    ...running,
    reader,
    get,
    async ids(query) {
      const { status, text, body } = await get(`/v2/cdn/stories?${query}`);
      if (status !== 200) throw new Error(`${status} ${text}`);
      return (body as { stories: { id: number }[] }).stories.map(({ id }) => id);
    },
  };
}
