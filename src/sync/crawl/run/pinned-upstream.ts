import type { Version } from "../../../config/config.js";
import { isOffprintError } from "../../../lib/errors.js";
import { editionName, parts } from "../../../snapshot/layout.js";
import { defaultLanguage } from "../../../snapshot/manifest.js";
import type { Answer, RecordFault, Served } from "../../upstream/answer.js";
import type { lists, Upstream } from "../../upstream/upstream.js";
import { roundsAtMost } from "./interval.js";
import type { Pin } from "./pin.js";

type Asked = keyof Omit<Upstream, "probe" | "counts" | "unknown" | "close">;
type BodyOf<M extends Asked> = Extract<Awaited<ReturnType<Upstream[M]>>, { kind: "served" }>["body"];
type Listing = "stories" | "assetMetadata" | "links" | "tags";
type Versioned<T> = T & { version: Version };
type OfVersion<M extends Listing, B = BodyOf<M>> = (
  query: Versioned<Parameters<Upstream[M]>[0]>,
  call?: Parameters<Upstream[M]>[1],
) => Promise<B>;
type Lists = {
  [L in Exclude<keyof typeof lists, "tags">]: (query: Parameters<Upstream[L]>[0]) => Promise<BodyOf<L>>;
};
type StoryQuery = Parameters<Upstream["story"]>[1];
export type OnFaults = (list: string, faults: readonly RecordFault[]) => void;
type Faulty = { faults?: readonly RecordFault[] };
type Read<T> = (cv: { cv?: number }) => Promise<Answer<T>>;

/** The upstream as a round reads it: published content at the pin's cv, which nobody else sets. */
export interface PinnedUpstream extends Lists {
  readonly pin: Pin;
  /** Above 0 in a recheck: readers change their addresses by it to bypass the edges' copies. */
  readonly variation: number;
  readonly noteFaults: OnFaults;
  /** The cvs of answers that had the wrong cv. */
  readonly strayCvs: readonly number[];
  stories: OfVersion<"stories", PinnedStories>;
  /** What `resolve_assets` adds to stories; null if the space does not offer it. */
  assetMetadata: OfVersion<"assetMetadata">;
  /** @param identifier full slug or id */
  story(identifier: string | number, query: Versioned<StoryQuery>): Promise<BodyOf<"story">>;
  links: OfVersion<"links">;
  /** Bypasses the edge's copy in a recheck, like the {@link lists} without a version. */
  tags: OfVersion<"tags">;
  /** Like {@link tags}. */
  taxonomy(identifier: string): Promise<BodyOf<"taxonomy">>;
  spaceMe(): Promise<SpaceAnswer<BodyOf<"spaceMe">>>;
  spaceInfo(): Promise<SpaceAnswer<BodyOf<"spaceInfo">>>;
  webhookEndpoint(id: number): Promise<SpaceAnswer<BodyOf<"webhookEndpoint">>>;
}

export type SpaceAnswer<T> = Pick<Served<T>, "body" | "redacted">;

/** A page, and whether its body has an older cv than the requested one. */
type PinnedStories = BodyOf<"stories"> & { isOutdated: boolean };

/** The number of addresses that rechecks cycle through, above those of the rounds. */
const variations = 97;

function recheckVariation(seconds: number): number {
  return (seconds % variations) + roundsAtMost;
}

/** Addresses that syncs after an unclean reading cycle through, above those of the rechecks. */
const retryVariations = 43;

export function retryVariation(seconds: number): number {
  return (seconds % retryVariations) + variations + 2 * roundsAtMost;
}

/** @param recheckCv server time in seconds, sent as cv: an edge would answer the pinned URL from its copy */
export function pinUpstream(
  upstream: Upstream,
  pin: Pin,
  recheckCv?: number,
  onFaults: OnFaults = () => {},
): PinnedUpstream {
  const strayCvs: number[] = [];
  const noteCv = ({ cv }: Pick<Served<unknown>, "cv">, ...expected: (number | null | undefined)[]): void => {
    if (cv !== null && pin.cv !== null && !expected.includes(cv)) strayCvs.push(cv);
  };
  const atPin = async <T>(read: Read<T>): Promise<{ answer: Served<T>; asked: number | undefined }> => {
    let asked: number | undefined;
    const answer = await pin.read((cv) => {
      asked = cv;
      return read(asQuery(cv));
    });
    return { answer, asked };
  };
  const pinned = async <T>(read: Read<T>): Promise<T> => {
    const { answer, asked } = await atPin(read);
    if (asked !== undefined) noteCv(answer, asked);
    return answer.body;
  };
  const unpinned = async <T>(read: () => Promise<Answer<T>>): Promise<T> => (await pin.readUnpinned(read)).body;
  const ofSpace = async <T>(read: () => Promise<Answer<T>>): Promise<SpaceAnswer<T>> => pin.readUnpinned(read);
  const ofVersion = <T>(version: Version, read: Read<T>): Promise<T> =>
    version === "published" ? pinned(read) : unpinned(() => read({}));
  const dated = async <T>(version: Version, read: Read<T>): Promise<T & { isOutdated: boolean }> => {
    if (version !== "published") return { ...(await unpinned(() => read({}))), isOutdated: false };
    const { answer, asked } = await atPin(read);
    return { ...answer.body, isOutdated: asked !== undefined && answer.cv !== null && answer.cv < asked };
  };
  const fresh = async <T>(read: Read<T>, onRedirect?: () => void): Promise<T> => {
    try {
      const answer = recheckCv === undefined ? undefined : await pin.readAt(recheckCv, (cv) => read(asQuery(cv)));
      if (answer === undefined && recheckCv !== undefined) onRedirect?.();
      if (answer === undefined) return await pinned(read);
      noteCv(answer, recheckCv, pin.cv);
      return answer.body;
    } catch (error) {
      if (pin.cv === null || !isOffprintError(error, "UPSTREAM_INVALID_REQUEST")) throw error;
      const answer = await readWithoutCv(pin, read);
      if (answer === undefined) throw error;
      noteCv(answer, pin.cv);
      return answer.body;
    }
  };
  const noted = async <T extends Faulty>(list: string, reading: Promise<T>): Promise<T> => {
    const read = await reading;
    if (read.faults !== undefined) onFaults(list, read.faults);
    return read;
  };
  const storiesOf = (query: Versioned<StoryQuery>, kind: "stories" | "variants" = "variants") =>
    parts[kind](editionName(query.version, query.from_release ?? null, query.language ?? defaultLanguage));
  const beside = <T extends Faulty>(list: string, read: Read<T>): Promise<T> => noted(list, fresh(read));
  /** Where the list of taxonomies leads back to the pin, each tree does: it is read there at once. */
  let areTreesPinned = false;
  return {
    pin,
    variation: recheckCv === undefined ? 0 : recheckVariation(recheckCv),
    noteFaults: onFaults,
    strayCvs,
    stories: (query, call) => {
      const read = dated(query.version, (cv) => upstream.stories({ ...query, ...cv }, { ...call, lenient }));
      return noted(storiesOf(query, query.only_variants === true ? "variants" : "stories"), read);
    },
    assetMetadata: (query, call) => ofVersion(query.version, (cv) => upstream.assetMetadata({ ...query, ...cv }, call)),
    // Only variants are read one by one.
    story: (identifier, query) => {
      const read = ofVersion(query.version, (cv) => upstream.story(identifier, { ...query, ...cv }));
      return noted(storiesOf(query), read);
    },
    links: (query, options) => {
      const read = ofVersion(query.version, (cv) => upstream.links({ ...query, ...cv }, { ...options, lenient }));
      return noted(`links/${query.version}`, read);
    },
    datasources: (query) => beside("datasources", (cv) => upstream.datasources({ ...query, ...cv }, { lenient })),
    experiments: (query) => beside("experiments", (cv) => upstream.experiments({ ...query, ...cv }, { lenient })),
    tags: (query) => {
      const read: Read<BodyOf<"tags">> = (cv) => upstream.tags({ ...query, ...cv }, { lenient });
      return noted(`tags/${query.version}`, query.version === "published" ? fresh(read) : unpinned(() => read({})));
    },
    datasourceEntries: (query) => {
      const list = `entries of datasource ${JSON.stringify(query.datasource)}`;
      return beside(list, (cv) => upstream.datasourceEntries({ ...query, ...cv }, { lenient }));
    },
    taxonomies: (query) => {
      const read: Read<BodyOf<"taxonomies">> = (cv) => upstream.taxonomies({ ...query, ...cv }, { lenient });
      const onRedirect = (): void => {
        areTreesPinned = true;
      };
      return noted("taxonomies", fresh(read, onRedirect));
    },
    taxonomy: (identifier) => {
      const read: Read<BodyOf<"taxonomy">> = (cv) => upstream.taxonomy(identifier, cv);
      return noted("terms", areTreesPinned ? pinned(read) : fresh(read));
    },
    spaceMe: async () => {
      const answer = await ofSpace(() => upstream.spaceMe({}));
      if (answer.body.faults !== undefined) onFaults("space", answer.body.faults);
      return answer;
    },
    spaceInfo: () => ofSpace(() => upstream.spaceInfo()),
    webhookEndpoint: (id) => ofSpace(() => upstream.webhookEndpoint(id)),
  };
}

/** One bad record must not end the reading of all others. */
const lenient = true;

/** For an address that may not take `cv` (seed section 4.6 names none). undefined: it redirects. */
async function readWithoutCv<T>(pin: Pin, read: Read<T>): Promise<Served<T> | undefined> {
  const answer = await read({});
  if (answer.kind !== "served") return undefined;
  if (answer.cv !== null && pin.cv !== null && answer.cv !== pin.cv) {
    pin.taint(`an answer was served at cv ${answer.cv} instead of ${pin.cv}`);
  }
  return answer;
}

function asQuery(cv: number | undefined): { cv?: number } {
  return cv === undefined ? {} : { cv };
}
