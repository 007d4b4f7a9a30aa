// Controls the thread of the embedded database: restarts it when it has ended, and ends it if a statement exceeds its time limit.
import type { Worker } from 'node:worker_threads';
import { awaitThread, startThread } from '#lib/worker';
import type { MakeError } from './connection.ts';
import { readFault, type EmbeddedRequest, type EmbeddedRows, type FromThread, type EmbeddedTask, type ToThread } from './embedded-protocol.ts';

export interface EmbeddedClient {
  /** Sends a request to the thread. @param limitMs time limit in milliseconds, after which the statement is cancelled or not started */
  ask(request: EmbeddedRequest, limitMs: number | undefined): Promise<EmbeddedRows>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(answer: EmbeddedRows): void;
  reject(fault: Error): void;
  timer?: NodeJS.Timeout;
}

const threadName = 'embedded-database';

/** Creates the folder of a new database. Rejects with `NOT_INSTALLED` or `BROKEN`. */
export async function makeEmbedded(folder: string, makeError: MakeError): Promise<void> {
  const worker = startThread(threadName, { data: { folder, task: 'make', running: new SharedArrayBuffer(4) } satisfies EmbeddedTask });
  try {
    await stateOf(worker, folder, makeError);
  } finally {
    await worker.terminate();
  }
}

/** Opens the database. The caller must close it. Rejects with `NOT_INSTALLED` or `BROKEN`. */
export async function openEmbeddedClient(folder: string, makeError: MakeError): Promise<EmbeddedClient> {
  let ids = 0;
  let isClosed = false;
  const waiting = new Map<number, Waiting>();
  const running = new Int32Array(new SharedArrayBuffer(4));
  let opening: Promise<Worker> | undefined = start();
  await opening;

  async function start(): Promise<Worker> {
    const worker = startThread(threadName, { data: { folder, task: 'serve', running: running.buffer } satisfies EmbeddedTask });
    try {
      await stateOf(worker, folder, makeError);
    } catch (fault) {
      opening = undefined;
      await worker.terminate();
      throw fault;
    }
    worker.on('message', receive);
    worker.once('exit', () => lose('it ended and is restarting.'));
    return worker;
  }

  function receive(message: FromThread): void {
    if (!('id' in message)) return;
    const one = take(message.id);
    if ('answer' in message) one?.resolve(message.answer);
    else one?.reject(message.fault.code === undefined ? makeError('UNAVAILABLE', { why: `${message.fault.message}.` }) : readFault(message.fault));
  }

  function take(id: number): Waiting | undefined {
    const one = waiting.get(id);
    clearTimeout(one?.timer);
    waiting.delete(id);
    return one;
  }

  function lose(why: string): void {
    opening = undefined;
    Atomics.store(running, 0, 0);
    for (const id of [...waiting.keys()]) take(id)?.reject(makeError('UNAVAILABLE', { why }));
  }

  /** Aborts a statement after its timeout. A running statement can be ended only with its thread; a waiting one is not started. */
  function giveUp(id: number, worker: Worker): void {
    if (Atomics.load(running, 0) === id) {
      take(id)?.reject(readFault({ message: 'canceling statement due to statement timeout', code: '57014' }));
      void worker.terminate();
    } else {
      worker.postMessage({ cancel: id } satisfies ToThread);
      take(id)?.reject(makeError('UNAVAILABLE', { why: 'it is busy.' }));
    }
  }

  return {
    async ask(request, limitMs) {
      if (isClosed) throw makeError('UNAVAILABLE', { why: 'it is closed.' });
      const worker = await (opening ??= start());
      const id = (ids = (ids % 0x7fff_ffff) + 1);
      return new Promise<EmbeddedRows>((resolve, reject) => {
        const one: Waiting = { resolve, reject };
        if (limitMs !== undefined) one.timer = setTimeout(() => giveUp(id, worker), limitMs);
        waiting.set(id, one);
        worker.postMessage({ id, request } satisfies ToThread);
      });
    },
    async close() {
      isClosed = true;
      const worker = await opening?.catch(() => undefined);
      if (!worker) return;
      worker.postMessage({ close: true } satisfies ToThread);
      await stateOf(worker, folder, makeError).catch(() => undefined);
      await worker.terminate();
    },
  };
}

/** Resolves when the thread is ready or has ended. */
function stateOf(worker: Worker, folder: string, makeError: MakeError): Promise<void> {
  return awaitThread<FromThread, void>(worker, new AbortController().signal, {
    onMessage(message, settle) {
      if (!('state' in message)) return;
      settle(() => {
        if (message.state === 'not-installed') throw makeError('NOT_INSTALLED', { version: '0.5.16' });
        if (message.state === 'failed') throw makeError('BROKEN', { folder, why: message.why });
      });
    },
    onStop({ message }) {
      throw makeError('BROKEN', { folder, why: message });
    },
  });
}
