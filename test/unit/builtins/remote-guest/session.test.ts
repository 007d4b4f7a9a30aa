// Tests a remote viewer session over a scripted transport: messages sent, reconnects, and status.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { frameHeaderBytes, writeFrameHeader, writeMessage, type FrameHeader, type HostMessage } from '../../../../builtins/desktop/remote/guest-protocol.ts';
import { statusOf } from '../../../../builtins/desktop/remote/guest/link-state.ts';
import { createSession } from '../../../../builtins/desktop/remote/guest/session.ts';
import type { TransportState } from '../../../../builtins/desktop/remote/guest/transport.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function open() {
  const ways: {
    sent: any[];
    isClosed: boolean;
    state: (state: TransportState, why?: string) => void;
    text: (text: string) => void;
    bytes: (bytes: Uint8Array) => void;
  }[] = [];
  const frames: FrameHeader[] = [];
  let overs = 0;
  const session = createSession({
    connect() {
      const way = {
        sent: [] as any[],
        isClosed: false,
        state: () => undefined,
        text: () => undefined,
        bytes: () => undefined,
      } as unknown as (typeof ways)[number];
      ways.push(way);
      return {
        send: (text) => void way.sent.push(JSON.parse(text)),
        onBytes: (listener) => void (way.bytes = listener),
        onText: (listener) => void (way.text = listener),
        onState: (listener) => void (way.state = listener),
        close: () => void (way.isClosed = true),
      };
    },
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    onFrame(header) {
      frames.push(header);
      session.taken(header);
      session.painted(header);
    },
    onMessage: () => undefined,
    onChange: () => undefined,
    onOver: () => void (overs += 1),
  });
  const way = (): (typeof ways)[number] => ways.at(-1) as (typeof ways)[number];
  const say = (message: HostMessage): void => way().text(writeMessage(message));
  const frame = (header: Partial<FrameHeader>): void => {
    const bytes = new Uint8Array(frameHeaderBytes + 1);
    writeFrameHeader(bytes, {
      ...{
        isStill: false,
        isLast: false,
        seq: 1,
        capturedAt: Date.now(),
        cssWidth: 100,
        cssHeight: 50,
        imageWidth: 100,
        imageHeight: 50,
        geometry: 1,
        ackedInput: 0,
      },
      ...header,
    });
    way().bytes(bytes);
  };
  const shown = (): void => say({ type: 'state', host: 'shown', guests: 1, mayControl: true, mayDecide: false });
  return { ways, way, session, say, frame, shown, frames, overs: () => overs, status: () => statusOf(session.facts(), Date.now()) };
}

test('acknowledges frames and sends input with the sequence number of the displayed frame', () => {
  const { way, session, frame, shown, frames, status } = open();
  way().state('open');
  shown();
  frame({ seq: 7, geometry: 3 });
  way().bytes(new Uint8Array(40));
  expect(frames).toHaveLength(1);
  expect(way().sent).toContainEqual({ v: 1, type: 'ack', seq: 7 });
  expect(session.input({ type: 'text', text: 'hi' })).toBe(1);
  expect(session.input({ type: 'release' })).toBe(2);
  expect(way().sent.slice(-2)).toEqual([
    { v: 1, type: 'text', text: 'hi', n: 1, seq: 7, geometry: 3 },
    { v: 1, type: 'release', n: 2, seq: 7, geometry: 3 },
  ]);
  expect(status().tone).toBe('live');
});

test('reports a silent host as late after five seconds and reconnects after ten', () => {
  const { way, ways, frame, shown, status } = open();
  way().state('open');
  shown();
  frame({});
  for (let step = 0; step < 20; step += 1) {
    vi.advanceTimersByTime(500);
    const ping = way().sent.findLast(({ type }) => type === 'ping');
    way().text(writeMessage({ type: 'pong', at: ping.at, hostAt: Date.now() }));
    expect(status().tone).toBe('live');
  }
  expect(way().sent.filter(({ type }) => type === 'ping').length).toBeGreaterThanOrEqual(5);
  vi.advanceTimersByTime(4_900);
  expect(status()).toMatchObject({ tone: 'late', title: 'No response' });
  expect(status().text).toMatch(/The picture is 15 s old/);
  vi.advanceTimersByTime(5_500);
  expect(ways).toHaveLength(2);
  expect(ways[0]?.isClosed).toBe(true);
  expect(status().tone).toBe('old');
});

test('reconnects after a drop and ignores messages from the old transport', () => {
  const { way, ways, session, frame, shown, status, overs } = open();
  way().state('open');
  shown();
  frame({});
  session.view(320, 200, 2);
  const first = way();
  first.state('closed');
  expect(session.input({ type: 'text', text: 'lost' })).toBeUndefined();
  vi.advanceTimersByTime(10);
  expect(ways).toHaveLength(2);
  first.text(writeMessage({ type: 'ended', reason: 'An old story.' }));
  expect(overs()).toBe(0);
  way().state('open');
  shown();
  frame({ seq: 2 });
  expect(status().tone).toBe('live');
  expect(way().sent).toContainEqual({ v: 1, type: 'view', width: 320, height: 200, dpr: 2 });
  for (let failure = 0; failure < 6; failure += 1) {
    way().state('closed');
    vi.advanceTimersByTime(5_000);
  }
  expect(ways.length).toBeGreaterThanOrEqual(6);
});

test('reconnects immediately when a locked phone wakes', () => {
  const { way, ways, session, shown, frame, status } = open();
  way().state('open');
  shown();
  frame({});
  // Timers do not run while the phone is locked.
  vi.setSystemTime(Date.now() + 60_000);
  session.wake();
  expect(ways).toHaveLength(2);
  expect(status().tone).toBe('old');
  way().state('open');
  shown();
  frame({});
  expect(status().tone).toBe('live');
  session.wake();
  expect(ways).toHaveLength(2);
});

test('stops reconnecting once the host ended or refused the session or it expired', () => {
  const ended = open();
  ended.way().state('open');
  ended.say({ type: 'ended', reason: 'The host ended it.' });
  expect(ended.status()).toMatchObject({ tone: 'over', text: 'The host ended it.' });
  vi.advanceTimersByTime(60_000);
  expect([ended.ways.length, ended.overs()]).toEqual([1, 1]);

  const turnedAway = open();
  turnedAway.way().state('refused');
  expect(turnedAway.status().text).toMatch(/Ask for a new code/);
  expect(turnedAway.overs()).toBe(1);

  const late = open();
  late.way().state('open');
  vi.setSystemTime(Date.now() + 3_600_001);
  vi.advanceTimersByTime(600);
  expect(late.status().text).toMatch(/expired/);
});

test('computes the picture age with the host clock, even if that clock is wrong', () => {
  const { way, shown, frame, status, session } = open();
  way().state('open');
  shown();
  const hostAhead = 7_200_000;
  const { at } = way().sent.find(({ type }) => type === 'ping');
  way().text(writeMessage({ type: 'pong', at, hostAt: Date.now() + hostAhead }));
  frame({ capturedAt: Date.now() + hostAhead - 12_000 });
  expect(status().text).toBe('Live; no change for 12 s.');
  expect(session.facts().pictureAt).toBe(Date.now() - 12_000);
});
