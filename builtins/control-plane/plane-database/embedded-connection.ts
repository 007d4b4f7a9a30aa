// PostgreSQL inside of this process, for one node: it survives the death of the program, not a power cut.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Query } from './contract.ts';
import { toSafeInteger, withRepeats, type Connection, type MakeError } from './connection.ts';

const int8 = 20;

export async function openEmbedded(home: string, makeError: MakeError): Promise<Connection> {
  const { PGlite } = await import('@electric-sql/pglite').catch((fault: unknown) => {
    throw makeError('NOT_INSTALLED', { version: '0.5.16' }, fault);
  });
  const folder = join(home, 'database');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const db = await PGlite.create({ dataDir: folder, parsers: { [int8]: toSafeInteger } });
  type Asked = Pick<typeof db, 'query' | 'exec'>;
  const over = (asked: Asked): Query => ({
    async query(sql, parameters) {
      if (parameters === undefined) {
        const results = await asked.exec(sql);
        return (results.at(-1)?.rows ?? []) as never;
      }
      return (await asked.query(sql, [...parameters])).rows as never;
    },
  });
  return {
    kind: 'embedded',
    ...over(db),
    transaction: (work) => withRepeats(() => db.transaction((transaction) => work(over(transaction as unknown as Asked)))),
    close: () => db.close(),
  };
}
