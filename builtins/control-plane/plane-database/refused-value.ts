// Reports values that the database cannot store to the caller who gave them.
import { codeOf, messageOf } from '#lib/errors';
import type { MakeError } from './connection.ts';
import type { Query } from './contract.ts';

/** A number or a time out of range, a text that is not a number, time or JSON, and one with an invalid character: NUL, or half of a surrogate pair. */
const refused: ReadonlySet<string> = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05']);

/** The same, but a value that the database refuses is the caller's error, not one of the program. */
export function tellRefusedValues(on: Query, makeError: MakeError): Query {
  return {
    query: (sql, parameters) =>
      on.query<never>(sql, parameters).catch((fault: unknown) => {
        throw refused.has(codeOf(fault) ?? '') ? makeError('VALUE', { why: messageOf(fault) }, fault) : fault;
      }),
  };
}
