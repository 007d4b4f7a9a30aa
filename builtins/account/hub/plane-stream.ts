// Follows server-sent events from the control plane and reconnects after each lost connection.
import { setTimeout as delay } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { backoffMs } from '#lib/async';
import { hasCode, messageOf } from '#lib/errors';
import { isRecord, jsonOf } from '#lib/values';
import type { PlaneStream } from './contract.ts';
import type { PlaneConnection } from './plane-connection.ts';

/** Reconnect delays in milliseconds. */
const pauses = { first: 250, longest: 30_000 };
/** Timeout of the response headers in milliseconds. */
const headMs = 15_000;
/** Maximum time without data, in milliseconds; a working control plane sends at least a comment within this time. */
export const silenceMs = 60_000;
/** Maximum length of one event in characters. */
const maxEventChars = 2 * 1024 * 1024;
/** Minimum duration of a connection, in milliseconds, after which the reconnect delay is reset. */
const steadyMs = 5_000;

/** Follows a stream until it ends permanently or is aborted. Never rejects. @param isOver aborted when the stream has no more subscribers */
export async function followStream(connection: PlaneConnection, stream: PlaneStream, isOver: AbortSignal): Promise<void> {
  let since = stream.since;
  let lastReported: string | undefined;
  const reportState = (state: 'live' | 'waiting' | 'ended', why?: string): void => {
    if (lastReported !== state) stream.onState?.((lastReported = state), why);
  };

  async function take(message: EventSourceMessage): Promise<void> {
    await stream.take({ ...(message.id === undefined ? {} : { id: message.id }), data: jsonOf(message.data) });
    if (message.id !== undefined && message.id !== '') since = message.id;
  }

  for (let tries = 0; !isOver.aborted; tries++) {
    const begun = performance.now();
    try {
      await readOnce(connection, { path: stream.path, since, signal: isOver }, take, () => reportState('live'));
      if (performance.now() - begun > steadyMs) tries = 0;
      reportState('waiting', 'the connection ended');
    } catch (fault) {
      if (isOver.aborted) break;
      if (isFinal(fault)) {
        reportState('ended', messageOf(fault));
        return;
      }
      if (performance.now() - begun > steadyMs) tries = 0;
      reportState('waiting', messageOf(fault));
    }
    await delay(backoffMs(tries, pauses), undefined, { signal: isOver, ref: false }).catch(() => undefined);
  }
}

/** Returns whether a retry is pointless: signed out, not allowed, not found. */
function isFinal(fault: unknown): boolean {
  if (hasCode(fault, 'HUB_ERR_SIGNED_OUT')) return true;
  const { details } = fault as { readonly details?: unknown };
  const status = isRecord(details) ? details['status'] : undefined;
  return hasCode(fault, 'HUB_ERR_PLANE_REFUSED') && status !== 408 && status !== 429;
}

interface Place {
  readonly path: string;
  readonly since: string | undefined;
  readonly signal: AbortSignal;
}

/** Reads one connection; resolves when the control plane ends the stream. */
async function readOnce(
  connection: PlaneConnection,
  { path, since, signal }: Place,
  take: (message: EventSourceMessage) => Promise<void>,
  onLive: () => void,
): Promise<void> {
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  const headers = { accept: 'text/event-stream', ...(since === undefined ? {} : { 'last-event-id': since }) };
  const { body, status, headers: given } = await connection.open({ method: 'GET', path, headers, signal: either, timeoutMs: headMs });
  const watch = setTimeout(() => silence.abort(), silenceMs);
  watch.unref();
  try {
    if (status !== 200 || !given['content-type']?.startsWith('text/event-stream'))
      throw connection.unreachable(`it responded with status ${status} instead of an event stream.`);
    onLive();
    const waiting: EventSourceMessage[] = [];
    let fault: Error | undefined;
    const parser = createParser({
      maxBufferSize: maxEventChars,
      onEvent: (message) => waiting.push(message),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') fault = connection.unreachable('it sent an event that is too long.');
      },
    });
    body.setEncoding('utf8');
    for await (const chunk of body as AsyncIterable<string>) {
      watch.refresh();
      parser.feed(chunk);
      if (fault) throw fault;
      for (const message of waiting.splice(0)) await take(message);
      signal.throwIfAborted();
    }
  } catch (broken) {
    signal.throwIfAborted();
    throw silence.signal.aborted ? connection.unreachable(`it sent nothing for ${silenceMs / 1_000} s.`) : broken;
  } finally {
    clearTimeout(watch);
    body.destroy();
  }
}
