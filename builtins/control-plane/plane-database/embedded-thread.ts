// Runs the embedded database in a worker thread, so that a long statement does not block other work.
import { parentPort, workerData } from 'node:worker_threads';
import { createSerialQueue } from '#lib/async';
import { messageOf } from '#lib/errors';
import { toSafeInteger } from './connection.ts';
import type { EmbeddedFault, EmbeddedRequest, EmbeddedRows, FromThread, EmbeddedTask, ToThread } from './embedded-protocol.ts';

const { folder, task, running: shared } = workerData as EmbeddedTask;
const running = new Int32Array(shared);
/** Parameters of the database. The default buffer size would take half of the program's memory. */
const ownParameters = ['-c', 'shared_buffers=16MB'];
/** Time in milliseconds after which an idle transaction is rolled back, because all other queries wait for it. PostgreSQL does the same. */
const idleMs = 30_000;
const bytea = 17;
const asIs = (text: string): string => text;

const { PGlite } = await import('@electric-sql/pglite').catch(() => {
  post({ state: 'not-installed' });
  return process.exit();
});
type Db = InstanceType<typeof PGlite>;
const db = await PGlite.create({
  dataDir: folder,
  startParams: [...PGlite.defaultStartParams, ...ownParameters],
  parsers: { 20: toSafeInteger, 1082: asIs, 1114: asIs },
  serializers: { [bytea]: (text: unknown) => text as string },
}).catch((fault: unknown) => {
  post({ state: 'failed', why: messageOf(fault) });
  return process.exit();
});
if (task === 'make') await close();
else serve();

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

async function close(): Promise<void> {
  await db.close();
  post({ state: 'closed' });
}

function serve(): void {
  const queue = createSerialQueue();
  const sessions = new Map<string, Session>();
  const cancelled = new Set<number>();
  parentPort?.on('message', (message: ToThread) => {
    if ('close' in message) return void queue.run(close);
    if ('cancel' in message) return void cancelled.add(message.cancel);
    const { id, request } = message;
    handle(id, request).then(
      (answer) => post({ id, answer }),
      (fault: unknown) => post({ id, fault: describe(fault) }),
    );
  });
  post({ state: 'ready' });

  async function handle(id: number, request: EmbeddedRequest): Promise<EmbeddedRows> {
    if (request.op === 'begin') return begin(id, request.session, request.isLong === true);
    if (request.session === undefined) return queue.run(() => (cancelled.delete(id) ? nothing : mark(id, () => run(db, request as QueryRequest))));
    const session = sessions.get(request.session);
    if (!session) throw new Error('The transaction has ended');
    session.touch();
    return session.queue.run(() => mark(id, () => (request.op === 'query' ? run(db, request) : end(request.session, session, request.how))));
  }

  function begin(id: number, name: string, isLong: boolean): Promise<EmbeddedRows> {
    return new Promise((resolve, reject) => {
      void queue.run(
        () =>
          new Promise<void>((release) => {
            if (cancelled.delete(id)) return release();
            const session = openSession(isLong, () => void session.queue.run(() => end(name, session, 'rollback')).catch(() => undefined), release);
            sessions.set(name, session);
            mark(id, () => run(db, { op: 'query', sql: 'begin' })).then(resolve, (fault: unknown) => {
              sessions.delete(name);
              session.close();
              reject(fault);
            });
          }),
      );
    });
  }

  async function end(name: string, session: Session, how: 'commit' | 'rollback'): Promise<EmbeddedRows> {
    if (sessions.get(name) !== session) return nothing;
    try {
      // `commit` also rolls back a failed transaction; PostgreSQL reports that only as a notice.
      if (how === 'commit') await db.exec('select 1');
      await db.exec(how);
    } catch (fault) {
      await db.exec('rollback').catch(() => undefined);
      throw fault;
    } finally {
      sessions.delete(name);
      session.close();
    }
    return nothing;
  }
}

interface Session {
  readonly queue: ReturnType<typeof createSerialQueue>;
  touch(): void;
  close(): void;
}

type QueryRequest = Extract<EmbeddedRequest, { op: 'query' }>;
const nothing: EmbeddedRows = { rows: [], byteColumns: [] };

function openSession(isLong: boolean, onIdle: () => void, release: () => void): Session {
  const start = (): NodeJS.Timeout | undefined => (isLong ? undefined : setTimeout(onIdle, idleMs));
  let timer = start();
  return {
    queue: createSerialQueue(),
    touch() {
      clearTimeout(timer);
      timer = start();
    },
    close() {
      clearTimeout(timer);
      release();
    },
  };
}

async function mark<T>(id: number, work: () => Promise<T>): Promise<T> {
  Atomics.store(running, 0, id);
  try {
    return await work();
  } finally {
    Atomics.store(running, 0, 0);
  }
}

async function run(on: Db, { sql, parameters }: QueryRequest): Promise<EmbeddedRows> {
  const result = parameters === undefined ? (await on.exec(sql)).at(-1) : await on.query(sql, [...parameters]);
  if (!result) return nothing;
  const byteColumns = result.fields.filter(({ dataTypeID }) => dataTypeID === bytea).map(({ name }) => name);
  return { rows: result.rows as EmbeddedRows['rows'], byteColumns };
}

function describe(fault: unknown): EmbeddedFault {
  const of = fault as Partial<EmbeddedFault>;
  const names = ['code', 'detail', 'constraint', 'table', 'column'] as const;
  return { message: messageOf(fault), ...Object.fromEntries(names.flatMap((name) => (typeof of[name] === 'string' ? [[name, of[name]]] : []))) };
}
