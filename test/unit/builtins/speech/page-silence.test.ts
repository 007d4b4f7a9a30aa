// Tests that Escape stops a spoken reply even between two sentences.
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { Client, WireEvent } from 'agent-harness/client';
import { createValue } from '../../../../builtins/clients/web-ui/app/kit/value-store.ts';
import { createSpokenReplies } from '../../../../builtins/voice/speech/ui/spoken-replies.ts';
import type { SpeechState, SpokenReplies } from '../../../../builtins/voice/speech/ui/speech-state.ts';

let sounding: FakeAudio[] = [];
let played = 0;
let keyDown: (event: object) => void = () => undefined;

class FakeAudio {
  private readonly listeners = new Map<string, () => void>();
  duration = 1;
  currentTime = 0;
  addEventListener(kind: string, listener: () => void): void {
    this.listeners.set(kind, listener);
  }
  removeAttribute(): void {
    // Removes only `src`, which this fake does not read.
  }
  play(): Promise<void> {
    played++;
    sounding.push(this);
    return Promise.resolve();
  }
  pause(): void {
    sounding = sounding.filter((one) => one !== this);
  }
  end(): void {
    this.listeners.get('ended')?.();
  }
}

const node = (): object => ({
  connect: (to: object) => to,
  gain: { setTargetAtTime: () => undefined },
});
class FakeContext {
  readonly state = 'running';
  readonly currentTime = 0;
  createGain = node;
  createAnalyser = node;
  createMediaElementSource = node;
}

vi.stubGlobal('Audio', FakeAudio);
vi.stubGlobal('AudioContext', FakeContext);
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
vi.stubGlobal('document', { querySelector: () => null });
vi.stubGlobal('addEventListener', (_kind: string, listener: (event: object) => void) => (keyDown = listener));
afterAll(() => void vi.unstubAllGlobals());

interface Scene {
  readonly replies: SpokenReplies;
  readonly state: { get(): SpeechState };
  readonly calls: { readonly key: string; readonly body: Record<string, unknown> }[];
  setRunning(isRunning: boolean): void;
  speak(seq: number, epoch?: number): void;
  fail(seq: number): void;
  answer(more: boolean): Promise<void>;
  read(taken: number): void;
}

function scene(isRunning: boolean): Scene {
  const listeners = new Set<(event: WireEvent) => void>();
  const calls: Scene['calls'] = [];
  let waiting: ((reply: object) => void)[] = [];
  const chat = createValue<object>(isRunning ? { running: {} } : {});
  const client = {
    on(listener: (event: WireEvent) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    open: () => ({ state: chat }),
    bytes: () => Promise.resolve(new Blob(['sound'])),
    connection: createValue({ stream: 'open', rest: 'up' }),
    call(key: string, { body }: { body: Record<string, unknown> }) {
      calls.push({ key, body });
      return new Promise((resolve) => waiting.push(resolve));
    },
  } as unknown as Client;
  const state = createValue<SpeechState>({ own: new Set(['c']), elsewhere: new Set() });
  const replies = createSpokenReplies(client, state);
  const tell = (event: object): void => listeners.forEach((listener) => listener(event as WireEvent));
  const answerAll = (reply: object): void => {
    const all = waiting;
    waiting = [];
    for (const one of all) one(reply);
  };
  return {
    replies,
    state,
    calls,
    setRunning: (isOn) => chat.set(isOn ? { running: {} } : {}),
    speak: (seq, epoch = 5) => tell({ kind: 'speak', chatId: 'c', epoch, seq, url: `/${seq}`, text: `Sentence ${seq}.` }),
    fail: (seq) => tell({ kind: 'speak_failed', chatId: 'c', epoch: 5, seq, message: 'hoarse' }),
    async answer(more) {
      answerAll({ ok: true, epoch: 5, more });
      await Promise.resolve();
    },
    read: (taken) => answerAll({ clips: [{ url: '/read', text: 'A part.' }], cost: null, taken }),
  };
}

function pressEscape(): boolean {
  const event = { key: 'Escape', isComposing: false, defaultPrevented: false, preventDefault: () => (event.defaultPrevented = true) };
  keyDown(event);
  return event.defaultPrevented;
}
async function hearNext(): Promise<void> {
  await expect.poll(() => sounding.length, { interval: 1 }).toBe(1);
  sounding.shift()?.end();
}
beforeEach(() => {
  sounding = [];
  played = 0;
});

const stopped = { key: 'POST /api/tts/heard', body: { chatId: 'c', epoch: 5, seq: 0, heardChars: 'Sentence 0.'.length, reason: 'stop' } };

test.each([
  ['while the reply is streaming', true],
  ['while its next sentence is synthesized', false],
])('stops the next sentence on Escape, %s, and reports what was heard', async (_when, isRunning) => {
  const { state, calls, speak, answer } = scene(isRunning);
  speak(0);
  await hearNext();
  await answer(true);
  expect(state.get().now).toMatchObject({ is: 'preparing' });
  expect(pressEscape()).toBe(true);
  expect(state.get().now).toBeUndefined();
  expect(calls.at(-1)).toEqual(stopped);
  speak(1);
  expect(state.get().now).toBeUndefined();
  speak(0, 6);
  await hearNext();
  expect(played).toBe(2);
});

test('leaves Escape to other handlers once the reply was heard to its end', async () => {
  const { state, calls, setRunning, speak, fail, answer } = scene(true);
  speak(0);
  await hearNext();
  expect([state.get().now?.is, calls]).toEqual(['preparing', []]);
  setRunning(false);
  expect(calls.at(-1)?.body).toMatchObject({ seq: 0, reason: 'finished' });
  await answer(true);
  fail(1);
  expect(calls.at(-1)?.body).toMatchObject({ seq: 1, heardChars: 0, reason: 'finished' });
  await answer(false);
  expect(state.get().now).toBeUndefined();
  expect(pressEscape()).toBe(false);
});

test('stops a clip that waits for an earlier one, and those after it', async () => {
  const { state, calls, speak } = scene(true);
  speak(1);
  expect(pressEscape()).toBe(true);
  expect(calls.at(-1)?.body).toMatchObject({ epoch: 5, seq: 1, heardChars: 0, reason: 'stop' });
  speak(0);
  expect(state.get().now).toBeUndefined();
});

test('stops reading a message while its next part is loading', async () => {
  const { state, replies, calls, read } = scene(false);
  const reading = replies.read('c', 'm', 'A part. Another part.');
  read(7);
  await hearNext();
  await expect.poll(() => calls.length, { interval: 1 }).toBe(2);
  expect(state.get().now).toMatchObject({ messageId: 'm', is: 'preparing' });
  expect(pressEscape()).toBe(true);
  read(14);
  await reading;
  expect([state.get().now, played]).toEqual([undefined, 1]);
});
