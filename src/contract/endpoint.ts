import type { BracketCodec, Codec } from "./codec.js";

/** Whether the seed has it, or other public documentation of the same interface. */
export type Origin = "seed" | "documented";

/** `selects`: which records, or their order. `shapes`: only how they are returned, for all of one selection. */
export type Effect = "selects" | "shapes";

export interface Parameter<C extends Codec<unknown> | BracketCodec<unknown> = Codec<unknown> | BracketCodec<unknown>> {
  readonly codec: C;
  readonly origin: Origin;
  readonly about: string;
  readonly effect: Effect;
  /** The value that the platform assumes if the parameter is absent, as text. */
  readonly default?: string;
}

export interface PathParameter {
  readonly about: string;
  /** `number` accepts digits only; `slug` takes all remaining segments of the path. */
  readonly accepts: "segment" | "number" | "slug";
  /** What the part can be, by name, if it accepts several things: a slug, an id or a uuid. */
  readonly forms?: Readonly<Record<string, { readonly about: string; readonly origin: Origin }>>;
}

export interface EnvelopeKey {
  readonly shape: "object" | "array" | "map" | "number";
  /** Name of the records' schema in the OpenAPI document. */
  readonly record?: string;
  readonly about: string;
}

/** How a request is authorized (seed section 5). */
export type Auth =
  /** Query parameter `token`. */
  | "token"
  /** Header `Authorization: <personal access token>`, or that of `bearer`. */
  | "personal"
  /** Header `Authorization: Bearer <token>`. */
  | "bearer";

/** One address of the interface. All are read with GET. */
export interface Endpoint {
  readonly name: string;
  /** Section of docs/interface-reference.md; 4.1 to 4.9 are those of the seed. */
  readonly section: string;
  readonly origin: Origin;
  readonly group: "delivery" | "management" | "oauth";
  readonly auth: Auth;
  /** Path template; `:name` is a path parameter. */
  readonly path: string;
  readonly pathParams: Readonly<Record<string, PathParameter>>;
  /** Query parameters by name, without `token`. */
  readonly params: Readonly<Record<string, Parameter>>;
  readonly envelope: Readonly<Record<string, EnvelopeKey>>;
  /** Records a page: the default, and the maximum. */
  readonly paging?: { readonly default: number; readonly max: number };
  /** Whether a parameter that is not in `params` gets 422. Undocumented endpoints ignore it. */
  readonly refusesUnknown: boolean;
}

export type ValueOf<P extends Parameter> = Extract<ReturnType<P["codec"]["decode"]>, { value: unknown }>["value"];

/** The query of an endpoint: upstream names, typed values, every key optional. */
export type QueryOf<E extends { readonly params: Readonly<Record<string, Parameter>> }> = {
  [K in keyof E["params"]]?: ValueOf<E["params"][K]> | undefined;
};

export function selectingParameters(endpoint: Endpoint): string[] {
  return Object.entries(endpoint.params).flatMap(([name, { effect }]) => (effect === "selects" ? [name] : []));
}
