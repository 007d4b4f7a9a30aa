// Tests which chats a page speaks and how it loads clips, across server restarts.
import { expect, test } from 'vitest';
import { CallError, type Client, type WireEvent } from 'agent-harness/client';
import { createClaims } from '../../../../builtins/voice/speech/ui/claims.ts';
import { loadClip } from '../../../../builtins/voice/speech/ui/load-clip.ts';
import type { SpeechState } from '../../../../builtins/voice/speech/ui/speech-state.ts';
import { createValue } from '../../../../builtins/clients/web-ui/app/kit/value-store.ts';

const broken = (): CallError => new CallError('The server cannot be reached.', 'network', 0);
const waits = { first: 1, longest: 1 };

function scripted(bytes: () => Promise<Blob>, isOpen = false): Pick<Client, 'bytes' | 'on' | 'connection'> & { connect(): void } {
  const listeners = new Set<(event: WireEvent) => void>();
  return {
    bytes,
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    connection: createValue({ stream: isOpen ? 'open' : 'lost', rest: 'up' } as const),
    connect: () => listeners.forEach((listener) => listener({ kind: 'connected' } as unknown as WireEvent)),
  };
}

test('retries a clip after network errors until it loads while the server is unreachable', async () => {
  let asked = 0;
  let delays = 0;
  const client = scripted(() => (++asked < 20 ? Promise.reject(broken()) : Promise.resolve(new Blob(['sound']))));
  const blob = await loadClip(client, '/clip', { signal: new AbortController().signal, onDelay: () => void delays++, waits });
  expect([await blob.text(), asked, delays]).toEqual(['sound', 20, 19]);
});

test('retries immediately on reconnect and stops on abort', async () => {
  let asked = 0;
  const client = scripted(() => (++asked < 2 ? Promise.reject(broken()) : Promise.resolve(new Blob(['sound']))));
  const waiting = loadClip(client, '/clip', {
    signal: new AbortController().signal,
    onDelay: () => queueMicrotask(() => client.connect()),
    waits: { first: 60_000, longest: 60_000 },
  });
  expect((await waiting).size).toBe(5);

  const leaving = new AbortController();
  const never = scripted(() => Promise.reject(broken()));
  const given = loadClip(never, '/clip', {
    signal: leaving.signal,
    onDelay: () => queueMicrotask(() => leaving.abort(new Error('stopped'))),
    waits: { first: 60_000, longest: 60_000 },
  });
  await expect(given).rejects.toThrow('stopped');
});

test('does not retry a rejected clip, and gives up after repeated errors while connected', async () => {
  let asked = 0;
  const gone = scripted(() => (asked++, Promise.reject(new CallError('There is no such clip.', 'not_found', 404))));
  await expect(loadClip(gone, '/clip', { signal: new AbortController().signal, waits })).rejects.toThrow('no such clip');
  expect(asked).toBe(1);
  const torn = scripted(() => (asked++, Promise.reject(broken())), true);
  await expect(loadClip(torn, '/clip', { signal: new AbortController().signal, waits })).rejects.toThrow('cannot be reached');
  expect(asked).toBe(1 + 5);
});

test('renews its claim on reconnect and yields to another speaker', async () => {
  let speaker: string | null = null;
  const calls: object[] = [];
  const silenced: string[] = [];
  const state = createValue<SpeechState>({ own: new Set(), elsewhere: new Set() });
  const call = ((_: string, { body }: { body: { speakerId: string; on: boolean; renew?: boolean } }) => {
    calls.push(body);
    if (body.on && !(body.renew === true && speaker !== null)) speaker = body.speakerId;
    return Promise.resolve({ speakerId: speaker, epoch: 1 });
  }) as unknown as Client['call'];
  const claims = createClaims({ client: { call }, state, speakerId: 'page', silence: (chatId) => silenced.push(chatId) });
  await claims.turn('c', true);
  speaker = null; // The server was restarted.
  claims.renew();
  expect(calls.at(-1)).toEqual({ chatId: 'c', speakerId: 'page', on: true, renew: true });
  await expect.poll(() => speaker).toBe('page');
  expect([...state.get().own]).toEqual(['c']);

  speaker = 'other';
  claims.renew();
  await expect.poll(() => [...state.get().elsewhere]).toEqual(['c']);
  expect([speaker, [...state.get().own], silenced]).toEqual(['other', [], ['c']]);
});
