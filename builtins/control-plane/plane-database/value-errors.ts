// Converts database errors about invalid values to client errors.
import { codeOf, messageOf } from '#lib/errors';
import type { MakeError } from './connection.ts';
import type { Query } from './contract.ts';

/** SQLSTATEs for a number or time out of range, an unparsable number, time or JSON, and an invalid character (NUL or an unpaired surrogate). */
const refused: ReadonlySet<string> = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05']);

/** Wraps queries, so that a value that the database rejects becomes a client error. */
export function withValueErrors(on: Query, makeError: MakeError): Query {
  return {
    query: (sql, parameters) =>
      on.query<never>(sql, parameters).catch((fault: unknown) => {
        throw refused.has(codeOf(fault) ?? '') ? makeError('VALUE', { why: messageOf(fault) }, fault) : fault;
      }),
  };
}
