import type { BracketCodec, Codec } from "./codec.js";

/** Whether the seed names it, or other public documentation of the same interface. */
export type Origin = "seed" | "documented";

/**
 * What a parameter does to an answer. `selects`: it decides which records the answer holds, or in which order. `shapes`: it
 * only decides how these records are answered (page, depth, fields), so that one selection serves all its values.
 */
export type Effect = "selects" | "shapes";

/** One query parameter of an endpoint. */
export interface Parameter<C extends Codec<unknown> | BracketCodec<unknown> = Codec<unknown> | BracketCodec<unknown>> {
  readonly codec: C;
  /** Section of docs/interface-reference.md that describes it. */
  readonly section: string;
  readonly origin: Origin;
  readonly about: string;
  readonly effect: Effect;
  /** The value that the platform assumes when the parameter is absent, in its written form. */
  readonly default?: string;
}

/** One variable part of an endpoint's path. */
export interface PathParameter {
  readonly section: string;
  readonly about: string;
  /** `number` accepts digits only; `slug` takes all remaining segments of the path. */
  readonly accepts: "segment" | "number" | "slug";
  /** What the part may hold, by name, where it accepts several things: a slug, an id or a uuid. */
  readonly forms?: Readonly<Record<string, { readonly about: string; readonly origin: Origin }>>;
}

/** One key of an answer's body. */
export interface EnvelopeKey {
  readonly shape: "object" | "array" | "map" | "number";
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

/** One address of the interface, as data. All are read with GET. */
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
  /** Whether a parameter that is not in `params` is answered with 422; where it is not documented, it is ignored. */
  readonly refusesUnknown: boolean;
}

/** The value that a parameter carries. */
export type ValueOf<P extends Parameter> = Extract<ReturnType<P["codec"]["decode"]>, { value: unknown }>["value"];

/** The query object of an endpoint: upstream names, typed values, every key optional. */
export type QueryOf<E extends { readonly params: Readonly<Record<string, Parameter>> }> = {
  [K in keyof E["params"]]?: ValueOf<E["params"][K]> | undefined;
};

/** The names of the parameters that select, in the order of the endpoint. */
export function selectingParameters(endpoint: Endpoint): string[] {
  return Object.entries(endpoint.params).flatMap(([name, { effect }]) => (effect === "selects" ? [name] : []));
}
