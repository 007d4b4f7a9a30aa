// What the database cannot hold of what it was given, told to whoever gave it.
import { codeOf, messageOf } from 'agent-harness/lib/errors';
import type { MakeError } from './connection.ts';
import type { Query } from './contract.ts';

/** A number or a time out of range, a text that is no number, time or JSON, and one with a character that no text has: NUL, half of a pair. */
const refused: ReadonlySet<string> = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05']);

/** The same, but a value that the database refuses is whoever's who gave it: no fault of the program. */
export function tellRefusedValues(on: Query, makeError: MakeError): Query {
  return {
    query: (sql, parameters) =>
      on.query<never>(sql, parameters).catch((fault: unknown) => {
        throw refused.has(codeOf(fault) ?? '') ? makeError('VALUE', { why: messageOf(fault) }, fault) : fault;
      }),
  };
}
