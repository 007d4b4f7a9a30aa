// Implements the database adapter for PostgreSQL over the network.
import type { PoolClient, QueryResult } from 'pg';
import { codeOf, messageOf } from '#lib/errors';
import { createChannels } from './channels.ts';
import type { Query } from './contract.ts';
import { applicationName, toSafeInteger, withRepeats, type Connection, type MakeError } from './connection.ts';
import { createPostgresListener } from './postgres-listener.ts';

/** Maximum number of connections per node. */
const poolSize = 20;
const connectTimeoutMs = 5_000;
/** OID of `int8`. */
const int8 = 20;

/** Maximum duration of a timer in milliseconds, used where there is no limit. */
const longestTimerMs = 2 ** 31 - 1;
/** OIDs of dates and times without a time zone. They stay text, because their value depends on the machine. */
const textTypes = [1082, 1114];
/** OID of `int8[]`, and OID of the text array type as which values are parsed. */
const int8Array = 1016;
const textArray = 1009;

/** Opens a connection pool. Rejects with `BAD_URL`. @param longestMs time limit of a statement and of an idle transaction, in milliseconds */
export async function openPostgres(url: string, longestMs: number, makeError: MakeError): Promise<Connection> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url.replace(/^postgres(ql)?:/, 'http:'))) throw makeError('BAD_URL');
  const { default: pg } = await import('pg');
  const own = pg.types.getTypeParser;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    // Longer than a node's heartbeat interval, so that each serving node keeps a connection.
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: longestMs,
    idle_in_transaction_session_timeout: longestMs,
    // Limits the wait for a server that has stopped responding.
    query_timeout: longestMs + connectTimeoutMs,
    allowExitOnIdle: true,
    types: {
      getTypeParser(oid: number, format?: never): unknown {
        if (oid === int8) return toSafeInteger;
        if (textTypes.includes(oid)) return (text: string) => text;
        if (oid === int8Array) return (text: string) => (own(textArray as never, format) as (text: string) => string[])(text).map(toSafeInteger);
        return own(oid, format);
      },
    } as never,
  });
  const channels = createChannels();
  const notifications = createPostgresListener(async () => {
    const client = new pg.Client({ connectionString: url, application_name: applicationName, connectionTimeoutMillis: connectTimeoutMs, keepAlive: true });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }, channels);
  // Ignores the error of a broken idle connection; the next query uses another one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  async function run<T>(work: () => Promise<QueryResult | QueryResult[]>): Promise<T[]> {
    try {
      // Several statements in one text return one result each.
      const results = [await work()].flat();
      return (results.at(-1)?.rows ?? []) as T[];
    } catch (fault) {
      throw explain(fault);
    }
  }

  const unreachable = (fault: unknown): Error => makeError('UNAVAILABLE', { why: `${describe(fault)}.` }, fault);

  function explain(fault: unknown): unknown {
    if (/^(28|3D)/.test(codeOf(fault) ?? '')) return makeError('REFUSED', { why: `${messageOf(fault)}.` }, fault);
    return isUnreachable(fault) ? unreachable(fault) : fault;
  }

  async function connect(): Promise<PoolClient> {
    try {
      return await pool.connect();
    } catch (fault) {
      const explained = explain(fault);
      throw explained === fault ? unreachable(fault) : explained;
    }
  }

  return {
    kind: 'postgresql',
    query: (sql, parameters) => run(() => pool.query(sql, parameters && [...parameters])),
    transaction: (work, { commit = 'durable', isLong = false } = {}) =>
      withRepeats(async () => {
        const client = await connect();
        const timeLimit = isLong ? { query_timeout: longestTimerMs } : {};
        const ask = (text: string, values?: unknown[]): Promise<QueryResult> => client.query({ text, ...(values ? { values } : {}), ...timeLimit } as never);
        const transaction: Query = { query: (sql, parameters) => run(() => ask(sql, parameters && [...parameters])) };
        const begin = [
          'begin',
          ...(commit === 'soon' ? ['set local synchronous_commit = off'] : []),
          ...(isLong ? ['set local statement_timeout = 0', 'set local idle_in_transaction_session_timeout = 0'] : []),
        ];
        try {
          await transaction.query(begin.join('; '));
          const result = await work(transaction);
          const { command } = await ask('commit').catch((fault: unknown) => {
            throw explain(fault);
          });
          // The transaction contains a failed statement, even if the caller ignored its error.
          if (command === 'ROLLBACK') throw Object.assign(new Error('current transaction is aborted'), { code: '25P02' });
          client.release();
          return result;
        } catch (fault) {
          // Closes a connection that no longer responds; this rolls back its transaction.
          const isBroken = codeOf(fault) === unavailable || (await client.query('rollback').then(isFalse, isTrue));
          client.release(isBroken);
          throw fault;
        }
      }),
    notify: async (channel, payload) => void (await run(() => pool.query('select pg_notify($1, $2)', [channel, payload]))),
    listen(channel, listener) {
      notifications.listen(channel);
      return channels.listen(channel, listener);
    },
    isJoined: false,
    async close() {
      await notifications.close();
      await pool.end();
    },
  };
}

const unavailable = 'PLANE_DATABASE_ERR_UNAVAILABLE';
const isFalse = (): boolean => false;
const isTrue = (): boolean => true;

/** Omits the address of the database, which HTTP clients must not learn. If all addresses of a host name fail, the combined error has no message. */
function describe(fault: unknown): string {
  const { syscall } = Object(fault) as { readonly syscall?: unknown };
  if (typeof syscall === 'string') return `${syscall} ${codeOf(fault) ?? 'failed'}`;
  return (fault instanceof AggregateError ? fault.errors.map(describe).join(', ') : messageOf(fault)) || (codeOf(fault) ?? 'unknown');
}

/**
 * Errors of the database itself have an SQLSTATE of five characters. Classes 08 and 57P: the server is shutting down; 53: insufficient resources; 25P03: the
 * transaction was idle for too long.
 */
function isUnreachable(fault: unknown): boolean {
  const code = codeOf(fault);
  if (code === undefined) return /terminat|timeout|queryable|connection|closed/i.test(messageOf(fault));
  return !/^[0-9A-Z]{5}$/.test(code) || /^(08|57P|53|25P03)/.test(code);
}
