// Tests that the event stream reconnects and resumes after interruptions of the server or the connection.
import type { WireEvent } from 'agent-harness/client';
import { afterEach, expect, it, vi } from 'vitest';
import { openEventSource, type EventSourceOptions } from '../../../../builtins/clients/client/event-source.ts';
import { type Harness } from '../../../helpers/in-process.ts';
import { startServer, type Line } from './parts.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';

afterEach(() => void vi.useRealTimers());

interface Opened {
  readonly events: WireEvent[];
  readonly states: string[];
  readonly source: ReturnType<typeof openEventSource>;
  state(fits: (states: readonly string[]) => boolean): Promise<void>;
  event(kind: string, count?: number): Promise<void>;
}

function open(connect: EventSourceOptions['connect'], waits: EventSourceOptions['waits'] = { first: 20, longest: 50 }): Opened {
  const events: WireEvent[] = [];
  const states: string[] = [];
  const source = openEventSource({ connect, onEvents: (some) => void events.push(...some), onState: (state) => void states.push(state), waits });
  closeAfterTest(() => source.close());
  return {
    ...{ events, states, source },
    state: (fits) => vi.waitUntil(() => fits(states), { timeout: 10_000, interval: 5 }).then(() => undefined),
    event: (kind, count = 1) =>
      vi.waitUntil(() => events.filter((event) => event.kind === kind).length >= count, { timeout: 10_000, interval: 5 }).then(() => undefined),
  };
}

async function startStream(): Promise<{ harness: Harness; line: Line; connect: EventSourceOptions['connect'] }> {
  const { harness, line } = await startServer(() => ({ text: ['a', 'b', 'c'] }));
  const connect: EventSourceOptions['connect'] = (headers, signal) =>
    line.fetch('/api/stream?chatId=all', { headers: { ...headers, authorization: `Bearer ${harness.token}` }, signal });
  return { harness, line, connect };
}

async function runTurn(harness: Harness): Promise<void> {
  const { turnId } = (await harness.call('POST', '/api/message', { text: 'Go', whenBusy: 'queue' })).body;
  await harness.kernel.resolve('turns').ended(turnId);
}

it('receives each event once, including those sent while disconnected', async () => {
  const { harness, line, connect } = await startStream();
  const opened = open(connect);
  await opened.event('connected');
  await runTurn(harness);
  await opened.event('turn_end');
  line.cut();
  await opened.state((states) => states.includes('lost'));
  line.target = undefined;
  await runTurn(harness);
  line.target = harness;
  await opened.event('turn_end', 2);
  expect(opened.states.filter((state) => state !== 'lost')).toEqual(['open', 'resumed']);
  expect(opened.events.some((event) => event.kind === 'resync')).toBe(false);
  const ids = opened.events.flatMap((event) => (event.id === undefined ? [] : [event.id]));
  expect(ids).toEqual([...new Set(ids)].sort((left, right) => left - right));
  expect(opened.events.filter((event) => event.kind === 'message_accepted')).toHaveLength(2);
});

it('resumes from the connection cursor when no event was received', async () => {
  const { harness, line, connect } = await startStream();
  const opened = open(connect);
  await opened.event('connected');
  line.target = undefined;
  line.cut();
  await opened.state((states) => states.includes('lost'));
  await runTurn(harness);
  line.target = harness;
  await opened.event('turn_end');
  expect(opened.events.filter((event) => event.kind === 'message_accepted')).toHaveLength(1);
});

it('stops at a wrong token until restarted', async () => {
  const { harness, line } = await startStream();
  let token = 'wrong'.repeat(8);
  const opened = open((headers, signal) => line.fetch('/api/stream?chatId=all', { headers: { ...headers, authorization: `Bearer ${token}` }, signal }));
  await opened.state((states) => states.includes('refused'));
  opened.source.wake();
  expect(line.asked).toHaveLength(1);
  token = harness.token;
  opened.source.restart();
  await opened.event('connected');
  expect(opened.states).toEqual(['refused', 'open']);
});

it('reconnects after 45 seconds of silence, but not while comments arrive', async () => {
  vi.useFakeTimers();
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const connect = vi.fn<EventSourceOptions['connect']>(async (_headers, signal) => {
    const body = new ReadableStream<Uint8Array>({
      start(given) {
        control = given;
        signal.addEventListener('abort', () => given.error(signal.reason));
      },
    });
    return new Response(body);
  });
  const opened = open(connect, {});
  await vi.advanceTimersByTimeAsync(40_000);
  control?.enqueue(new TextEncoder().encode(':\n\n'));
  await vi.advanceTimersByTimeAsync(44_000);
  expect(opened.states).toEqual(['open']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(opened.states).toEqual(['open', 'lost']);
  await vi.advanceTimersByTimeAsync(700);
  expect(connect).toHaveBeenCalledTimes(2);
});

it('increases the delay after each failure up to 10 seconds, with jitter', async () => {
  vi.useFakeTimers();
  const times: number[] = [];
  const began = Date.now();
  open(async () => {
    times.push(Date.now() - began);
    throw new TypeError('fetch failed');
  }, {});
  await vi.advanceTimersByTimeAsync(60_000);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000].forEach((wait, index) => {
    expect(gaps[index]).toBeGreaterThanOrEqual(wait * 0.5 - 1);
    expect(gaps[index]).toBeLessThanOrEqual(wait + 1);
  });
});

it('parses an event that arrives byte by byte and skips invalid ones', async () => {
  const text = 'id: 7\ndata: {"kind":"text","at":"","delta":"äöü€"}\n\ndata: broken\n\ndata: 5\n\nid: 8\ndata: {"kind":"usage","at":""}\n\n';
  const bytes = new TextEncoder().encode(text);
  const headers: Record<string, string>[] = [];
  const opened = open(async (given) => {
    headers.push({ ...given });
    return new Response(new ReadableStream({ start(control) { for (const byte of bytes) control.enqueue(new Uint8Array([byte])); control.close(); } })); // prettier-ignore
  });
  await opened.state((states) => states.filter((state) => state === 'lost').length === 2);
  expect(opened.events.slice(0, 2)).toMatchObject([{ kind: 'text', delta: 'äöü€' }, { kind: 'usage' }]);
  expect(headers[1]).toMatchObject({ 'last-event-id': '8' });
});
