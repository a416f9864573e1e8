import type { Endpoint, Origin } from "../src/contract/endpoint.js";
import { endpoints } from "../src/contract/endpoints.js";
import { filterOperations, isStates } from "../src/contract/filter-query.js";
import { limits } from "../src/contract/limits.js";
import { fieldTables } from "../src/contract/record-table.js";
import { behaviours, limitRows } from "./interface-behaviours.js";

/** One statement of the interface that a test can name: a field, a parameter, a rule or a limit. */
export interface InterfaceRow {
  /** Section of docs/interface-reference.md. */
  section: string;
  /** Unique in its section. */
  name: string;
  origin: Origin;
  about: string;
  /** File and symbol below `src`; a dash for a rule, which has no place of its own. */
  livesIn: string;
}

/** The operations of `filter_query` that the seed lists. */
const seedOperations: ReadonlySet<string> = new Set("in any_in_array not_like is gt_date lt_int gt_int".split(" "));

/** Every row of the interface, by section. Of several rows with one name in one section the first counts. */
export function interfaceRows(): InterfaceRow[] {
  const rows = new Map<string, InterfaceRow>();
  for (const row of [
    ...fieldRows(),
    ...envelopeRows(),
    ...endpointRows(),
    ...filterRows(),
    ...ruleRows(),
    ...limitRowsOf(),
  ]) {
    const key = `${row.section} ${row.name}`;
    if (!rows.has(key)) rows.set(key, row);
  }
  return [...rows.values()].sort((a, b) => sectionOrder(a.section) - sectionOrder(b.section));
}

function fieldRows(): InterfaceRow[] {
  return fieldTables.flatMap(({ section, origin, prefix, type, fields }) =>
    Object.entries(fields).map(([name, { about, beyond }]) => ({
      section,
      name: `${prefix}${name}`,
      origin: beyond ? "documented" : origin,
      about,
      livesIn: type === null ? "sync/upstream/projection.ts" : `contract/records.ts ${type}`,
    })),
  );
}

/** Seed section 2.2: the keys of an answer with stories. */
function envelopeRows(): InterfaceRow[] {
  return [endpoints.story, endpoints.stories].flatMap(({ name: endpoint, envelope }) =>
    Object.entries(envelope).map(([name, { about }]) => ({
      section: "2.2",
      name,
      origin: "seed" as const,
      about,
      livesIn: `contract/endpoints.ts ${endpoint}.envelope`,
    })),
  );
}

function endpointRows(): InterfaceRow[] {
  return Object.values(endpoints).flatMap((endpoint: Endpoint) => {
    const { section, origin, envelope } = endpoint;
    const livesIn = `contract/endpoints.ts ${endpoint.name}`;
    const path = endpoint.group === "oauth" ? "oauth path" : "path";
    const rows: InterfaceRow[] = [{ section, origin, name: path, about: `GET ${endpoint.path}`, livesIn }];
    for (const [name, { about, forms = { [name]: { about, origin } } }] of Object.entries(endpoint.pathParams)) {
      for (const [form, of] of Object.entries(forms)) {
        rows.push({ section, ...of, name: `:${form}`, livesIn: `${livesIn}.pathParams.${name}` });
      }
    }
    if (endpoint.auth === "token")
      rows.push({ section, origin, name: "token", about: "required", livesIn: `${livesIn}.auth` });
    for (const [name, { about, origin }] of Object.entries(endpoint.params)) {
      rows.push({ section, origin, name, about, livesIn: `${livesIn}.params` });
    }
    // The keys of an answer with stories have a section of their own.
    for (const [name, { about }] of "rels" in envelope ? [] : Object.entries(envelope)) {
      rows.push({ section, origin, name: `body.${name}`, about, livesIn: `${livesIn}.envelope` });
    }
    return rows;
  });
}

function filterRows(): InterfaceRow[] {
  const livesIn = "contract/filter-query.ts";
  const section = "4.2";
  return [
    ...filterOperations.map((name): InterfaceRow => {
      return { section, name, origin: seedOperations.has(name) ? "seed" : "documented", about: "operation", livesIn };
    }),
    ...isStates.map((state): InterfaceRow => {
      return { section, name: `is ${state}`, origin: "seed", about: "value of the operation is", livesIn };
    }),
  ];
}

function ruleRows(): InterfaceRow[] {
  return behaviours.map((rule) => ({ ...rule, livesIn: "–" }));
}

function limitRowsOf(): InterfaceRow[] {
  return Object.entries(limitRows).map(([name, row]) => {
    const value: unknown = limits[name as keyof typeof limits];
    const shown =
      typeof value === "object" ? JSON.stringify(value).replaceAll('"', "").replaceAll(",", ", ") : String(value);
    return { ...row, name, about: `${row.about}: ${shown}`, livesIn: `contract/limits.ts ${name}` };
  });
}

/** `4.10` follows `4.9`. */
function sectionOrder(section: string): number {
  const [whole = 0, part = 0] = section.split(".").map(Number);
  return whole * 1000 + part;
}
