// PostgreSQL over the network.
import type { PoolClient, QueryResult } from 'pg';
import { codeOf, messageOf } from 'agent-harness/lib/errors';
import type { Query } from './contract.ts';
import { toSafeInteger, withRepeats, type Connection, type MakeError } from './connection.ts';

/** Of one node; a second one has as many. */
const poolSize = 20;
const connectTimeoutMs = 5_000;
/** OID of `int8`. */
const int8 = 20;

export async function openPostgres(url: string, makeError: MakeError): Promise<Connection> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    allowExitOnIdle: true,
    types: { getTypeParser: (oid: number, format?: never) => (oid === int8 ? toSafeInteger : (pg.types.getTypeParser(oid, format) as never)) } as never,
  });
  // A connection that breaks while nobody uses it; the next query takes another.
  pool.on('error', () => undefined);

  async function run<T>(work: () => Promise<QueryResult | QueryResult[]>): Promise<T[]> {
    try {
      // Several statements in one text answer a result each.
      const results = [await work()].flat();
      return (results.at(-1)?.rows ?? []) as T[];
    } catch (fault) {
      throw isUnreachable(fault) ? makeError('UNAVAILABLE', { why: `${messageOf(fault)}.` }, fault) : fault;
    }
  }

  async function connect(): Promise<PoolClient> {
    try {
      return await pool.connect();
    } catch (fault) {
      throw makeError('UNAVAILABLE', { why: `${messageOf(fault)}.` }, fault);
    }
  }

  return {
    kind: 'postgresql',
    query: (sql, parameters) => run(() => pool.query(sql, parameters && [...parameters])),
    transaction: (work, { commit = 'durable' } = {}) =>
      withRepeats(async () => {
        const client = await connect();
        const transaction: Query = { query: (sql, parameters) => run(() => client.query(sql, parameters && [...parameters])) };
        try {
          await transaction.query(commit === 'soon' ? 'begin; set local synchronous_commit = off' : 'begin');
          const result = await work(transaction);
          await transaction.query('commit');
          client.release();
          return result;
        } catch (fault) {
          const isBroken = await client.query('rollback').then(
            () => false,
            () => true,
          );
          client.release(isBroken);
          throw fault;
        }
      }),
    close: () => pool.end(),
  };
}

/** No answer of the database itself: those have an SQLSTATE of five characters. Classes 08 and 57P are of a server that goes away. */
function isUnreachable(fault: unknown): boolean {
  const code = codeOf(fault);
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || /^(08|57P)/.test(code);
}
