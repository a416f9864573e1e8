import type { Pool } from "pg";
import type { SharedValues } from "./shared-values.js";

/**
 * @returns the statements that make the table of the values, where it is not there yet; of workers that start together one
 * after the other does, because PostgreSQL fails where two create the same table at once
 */
export function valuesTable(schema: string): string {
  return `SELECT pg_advisory_xact_lock(hashtext('offprint ${schema}'));
  CREATE TABLE IF NOT EXISTS ${tableIn(schema)} (
    kind text NOT NULL, key text NOT NULL, value text NOT NULL,
    PRIMARY KEY (kind, key))`;
}

/** Values in PostgreSQL: a row each, in a table beside those of the queue. @param schema letters, digits and _ */
export function postgresValues(pool: Pool, schema: string): SharedValues {
  const table = tableIn(schema);
  return {
    async read(group, key) {
      const { rows } = await pool.query<{ value: string | null; now: string }>(
        `SELECT (SELECT value FROM ${table} WHERE kind = $1 AND key = $2) AS value,
          floor(extract(epoch FROM clock_timestamp()) * 1000)::text AS now`,
        [group, key],
      );
      return { value: rows[0]?.value ?? undefined, nowMs: Number(rows[0]?.now) };
    },
    async replace(group, key, before, after) {
      const { rowCount } = await (before === undefined
        ? pool.query(`INSERT INTO ${table} (kind, key, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, [
            group,
            key,
            after,
          ])
        : after === undefined
          ? pool.query(`DELETE FROM ${table} WHERE kind = $1 AND key = $2 AND value = $3`, [group, key, before])
          : pool.query(`UPDATE ${table} SET value = $4 WHERE kind = $1 AND key = $2 AND value = $3`, [
              group,
              key,
              before,
              after,
            ]));
      return rowCount === 1;
    },
    async put(group, key, value) {
      await pool.query(
        `INSERT INTO ${table} (kind, key, value) VALUES ($1, $2, $3)
          ON CONFLICT (kind, key) DO UPDATE SET value = $3`,
        [group, key, value],
      );
    },
    async list(group) {
      const { rows } = await pool.query<{ key: string; value: string }>(
        `SELECT key, value FROM ${table} WHERE kind = $1`,
        [group],
      );
      return new Map(rows.map(({ key, value }) => [key, value]));
    },
    close: () => pool.end(),
  };
}

function tableIn(schema: string): string {
  return `"${schema}".offprint_values`;
}
