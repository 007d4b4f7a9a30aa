// Stores audit events on disk until the control plane has received them.
import { join } from 'node:path';
import type { Services } from 'agent-harness/kernel';
import { backoffMs, createSerialQueue } from '#lib/async';
import { codeOf, messageOf } from '#lib/errors';
import { isRecord } from '#lib/values';
import type { AuditEvent } from './audit-event.ts';

export interface AuditSpool {
  /** Resolves when the event is on disk; the upload runs in parallel. */
  add(event: AuditEvent): Promise<void>;
  /** Sends stored events, oldest first. Never rejects; failed batches are retried later. */
  send(): Promise<void>;
  /** Resolves when no write is pending. Unsent events stay on disk. */
  close(): Promise<void>;
}

export interface SpoolParts {
  readonly services: Pick<Services, 'controlPlane' | 'license' | 'storage' | 'product'>;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
}

/** One file, sent as one batch. */
interface Batch {
  /** Account of the events. Only this account reports them. */
  readonly owner: string;
  readonly events: readonly AuditEvent[];
}

/** Maximum number of events in a batch. */
const batchSize = 500;
/** Maximum number of batches; beyond it, the oldest are dropped. */
const maxBatches = 100;
/** Retry delays in milliseconds. */
const pauses = { first: 2_000, longest: 300_000 };

export function createAuditSpool({ services, signal, warn }: SpoolParts): AuditSpool {
  const { controlPlane, license, storage, product } = services;
  const folder = join(product.home, 'team', 'audit');
  /** File writes and removals are serialised; sending does not wait for writes. */
  const { run: inOrder, idle } = createSerialQueue();
  let newest: string | undefined;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | undefined;
  let isDue = false;

  const ownerOf = (): string => `${license.account()?.email.toLowerCase() ?? ''} ${license.state().org ?? ''}`;
  const list = async (): Promise<string[]> => (await storage.list(folder)).filter((name) => /^aud_\w+\.json$/.test(name)).sort();
  const read = (name: string): Promise<Batch | undefined> => storage.readJson(join(folder, name), isBatch);

  async function write(event: AuditEvent): Promise<void> {
    const owner = ownerOf();
    const last = newest === undefined ? undefined : await read(newest);
    const isOpen = last !== undefined && last.owner === owner && last.events.length < batchSize;
    const name = isOpen && newest !== undefined ? newest : `${storage.createId('aud')}.json`;
    await storage.writeJson(join(folder, name), { owner, events: [...(isOpen ? last.events : []), event] } satisfies Batch);
    newest = name;
    const names = await list();
    for (const old of names.slice(0, Math.max(0, names.length - maxBatches))) {
      warn('audit events could not be sent for too long; the oldest ones were dropped');
      await storage.remove(join(folder, old));
    }
  }

  async function sendAll(): Promise<void> {
    await license.ready();
    for (const name of await inOrder(list)) {
      if (signal.aborted) return;
      const batch = await inOrder(() => {
        // Closes the batch: new events start another file.
        if (name === newest) newest = undefined;
        return read(name);
      });
      if (batch?.owner !== ownerOf()) continue;
      if (batch.events.length > 0) await post(batch);
      await inOrder(() => storage.remove(join(folder, name)));
    }
    tries = 0;
  }

  async function post({ events }: Batch): Promise<void> {
    try {
      await controlPlane.request({ method: 'POST', path: '/api/team/audit/events', body: { events }, signal });
    } catch (fault) {
      const { status } = Object((fault as { details?: unknown }).details) as { readonly status?: unknown };
      // The control plane will never accept this batch, so it must not block the others.
      if (codeOf(fault) !== 'HUB_ERR_PLANE_REFUSED' || (status !== 400 && status !== 413)) throw fault;
      warn(`the control plane refused ${events.length} audit events: ${messageOf(fault)}`);
    }
  }

  function send(): Promise<void> {
    if (sending) {
      isDue = true;
      return sending;
    }
    clearTimeout(timer);
    return (sending = sendAll()
      .catch((fault: unknown) => {
        if (signal.aborted) return;
        if (tries === 0) warn(`audit events are stored on this machine until they can be sent: ${messageOf(fault)}`);
        timer = setTimeout(() => void send(), backoffMs(tries++, pauses));
        timer.unref();
        isDue = false;
      })
      .finally(() => {
        sending = undefined;
        if (!isDue || signal.aborted) return;
        isDue = false;
        void send();
      }));
  }

  return {
    async add(event) {
      await inOrder(() => write(event));
      void send();
    },
    send,
    async close() {
      clearTimeout(timer);
      await sending;
      await idle();
    },
  };
}

function isBatch(value: unknown): value is Batch {
  return isRecord(value) && typeof value['owner'] === 'string' && Array.isArray(value['events']);
}
