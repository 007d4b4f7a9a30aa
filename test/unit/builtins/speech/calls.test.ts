import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { KernelError } from 'agent-harness/kernel';
import { createClipMaker } from '../../../../builtins/voice/speech/clips/clip-maker.ts';
import { type Harness, runTurn, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';
import { createSpeakTool } from '../../../../builtins/voice/speech/calls/speak-tool.ts';
import { sweepClips, type SweepParts } from '../../../../builtins/voice/speech/clips/sweep-clips.ts';
import { createScriptedEngine, secondsFor, wave, type ScriptedEngine } from './scripted-engine.ts';

let engine: ScriptedEngine;
let harness: Harness;
async function start(environment: Record<string, string> = {}, home?: string): Promise<void> {
  harness = await startHarness({
    builtins: ['audio-engines', 'speech', 'model-chat-completions'],
    environment: { ...model.environment, AGENT_TTS_ENABLED: '1', AGENT_TTS_MIN_INTERVAL_MS: '0', ...environment },
    modules: { 'test-voice': engine.module },
    ...(home === undefined ? {} : { home }),
  });
}
const model = useEach(() => startScriptedModel());
beforeEach(async () => {
  engine = createScriptedEngine();
});

const tts = (text: string, more: object = {}): ReturnType<Harness['call']> => harness.call('POST', '/api/tts', { text, ...more });
const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(harness.url + url, { headers: { authorization: `Bearer ${harness.token}`, ...headers } });
const clipFiles = async (chatId: string): Promise<string[]> => (await readdir(join(harness.home, 'chats', chatId, 'audio', 'speech')).catch(() => [])).sort();

test('splits a text into clips with duration and cost, and serves repeated text from the cache', async () => {
  await start();
  const text = `# Title\n\nHello **world**. ${'More words are here. '.repeat(20)}\n\`\`\`\nx\n\`\`\``;
  const first = await tts(text);
  expect(first.status).toBe(200);
  const { clips, cost, taken } = first.body;
  expect(clips.map((clip: { text: string }) => clip.text).join(' ')).toBe(`Title. Hello world. ${'More words are here. '.repeat(20)}Code, 1 line.`);
  expect(clips[0].text.length).toBeLessThanOrEqual(120);
  expect(clips).toHaveLength(engine.requests.length);
  for (const clip of clips) {
    expect(clip).toMatchObject({ clipId: expect.stringMatching(/^clip_/), durationSec: secondsFor(clip.text), cached: false });
    const reply = await get(clip.url);
    expect(reply.headers.get('content-type')).toBe('audio/wav');
    expect((await reply.arrayBuffer()).byteLength).toBe(44 + secondsFor(clip.text) * 16_000);
  }
  expect(cost).toBeCloseTo(0.001 * clips.length);
  expect(taken).toBe(text.length);
  const again = (await tts(text)).body;
  expect(again.clips).toEqual(clips.map((clip: object) => ({ ...clip, cached: true })));
  expect(again.cost).toBe(0);
  expect(engine.requests).toHaveLength(clips.length);
  expect((await tts(text, { voice: 'other' })).body.clips[0].cached).toBe(false);
  expect(engine.requests.map(({ voice }) => voice)).toEqual([...clips.map(() => 'af_sky'), ...clips.map(() => 'other')]);
});

test('restores cached clips after a restart and deletes them with their chat', async () => {
  await start();
  const { clips } = (await tts('Hello there.')).body;
  const { chatId } = (await harness.call('GET', '/api/chats')).body.chats[0];
  expect(await clipFiles(chatId)).toEqual([expect.stringMatching(new RegExp(`^${clips[0].clipId}\\.[0-9a-f]{32}\\.200\\.3244\\.wav$`))]);
  const { home } = harness;
  expect(await harness.close({ keepFiles: true })).toEqual([]);
  await start({}, home);
  expect((await tts('Hello there.')).body.clips[0]).toEqual({ ...clips[0], cached: true });
  expect(engine.requests).toHaveLength(1);
  await harness.call('DELETE', `/api/chats/${chatId}`);
  expect((await get(clips[0].url)).status).toBe(404);
  expect(await readdir(join(home, 'chats'))).not.toContain(chatId);
});

test('serves byte ranges of a clip: 206, 416, If-Range', async () => {
  await start();
  const [clip] = (await tts('Hello there.')).body.clips;
  const whole = await get(clip.url);
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect([bytes.readUInt32LE(4), bytes.readUInt32LE(40)]).toEqual([bytes.length - 8, bytes.length - 44]);
  expect(whole.headers.get('accept-ranges')).toBe('bytes');
  const part = await get(clip.url, { range: 'bytes=8-11' });
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, 'WAVE', `bytes 8-11/${bytes.length}`]);
  const etag = String(whole.headers.get('etag'));
  expect((await get(clip.url, { range: 'bytes=0-3', 'if-range': etag })).status).toBe(206);
  expect((await get(clip.url, { range: 'bytes=0-3', 'if-range': '"other"' })).status).toBe(200);
  const outside = await get(clip.url, { range: 'bytes=999999-' });
  expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
  expect((await get(clip.url, { 'if-none-match': etag })).status).toBe(304);
});

test('streams a clip while it is synthesized and serves ranges once it is complete', async () => {
  await start();
  let goOn = (): void => undefined;
  engine.between = () => new Promise<void>((resolve) => (goOn = resolve));
  const { clips, cost } = (await tts('Hello there.', { wait: false })).body;
  expect([clips[0].durationSec, cost]).toEqual([null, null]);
  const reply = await get(clips[0].url);
  expect(reply.headers.get('content-type')).toBe('audio/wav');
  const reader = reply.body?.getReader();
  const first = await reader?.read();
  expect(Buffer.from(first?.value ?? []).toString('latin1', 0, 4)).toBe('RIFF');
  expect(reply.headers.get('content-length')).toBeNull();
  const later = get(clips[0].url, { range: 'bytes=8-11' });
  goOn();
  let length = first?.value?.byteLength ?? 0;
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) length += piece.value.byteLength;
  expect(length).toBe(3_244);
  expect(await (await later).text()).toBe('WAVE');
});

test('evicts the oldest clips beyond the cache size', async () => {
  await start({ AGENT_TTS_CACHE_MB: '1' });
  const [first] = (await tts(`${'word '.repeat(70)}.`)).body.clips;
  const { chatId } = (await harness.call('GET', '/api/chats')).body.chats[0];
  for (let turn = 0; turn < 40; turn++) await tts(`${`word${turn} `.repeat(60)}.`);
  await expect.poll(() => clipFiles(chatId)).not.toContainEqual(expect.stringContaining(first.clipId));
  const bytes = async (): Promise<number> => (await clipFiles(chatId)).reduce((sum, name) => sum + Number(name.split('.')[3]), 0);
  await expect.poll(bytes).toBeLessThanOrEqual(1024 * 1024);
  expect(harness.logs.filter((line) => line.includes('speech'))).toEqual([]);
  const sizes = (await clipFiles(chatId)).map((name) => Number(name.split('.')[3]));
  expect(sizes.length).toBeGreaterThan(10);
  expect((await get(first.url)).status).toBe(404);
});

test('deletes clips not played for 30 days and keeps recently played ones', async () => {
  await start();
  const [old] = (await tts('An old one.')).body.clips;
  const [heard] = (await tts('One that is heard.')).body.clips;
  const { chatId } = (await harness.call('GET', '/api/chats')).body.chats[0];
  const { home } = harness;
  expect(await harness.close({ keepFiles: true })).toEqual([]);
  const folder = join(home, 'chats', chatId, 'audio', 'speech');
  const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1_000);
  for (const file of await readdir(folder)) await utimes(join(folder, file), longAgo, longAgo);
  await start({}, home);
  expect((await get(heard.url)).status).toBe(200);
  const storage = { list: async (of: string) => readdir(of).catch(() => []), remove: (path: string) => rm(path) };
  const chats = { list: async () => ({ chats: [{ chatId }] }), folder: () => join(home, 'chats', chatId) };
  const gone: string[] = [];
  const parts = { storage, chats, onGone: (_: string, file: string) => void gone.push(file.split('.')[0] ?? '') } as unknown as SweepParts;
  await expect
    .poll(async () => (await stat(join(folder, (await clipFiles(chatId)).find((file) => file.startsWith(heard.clipId)) ?? ''))).mtimeMs)
    .toBeGreaterThan(longAgo.getTime() + 1_000);
  expect(await sweepClips(parts, new AbortController().signal)).toBe(1);
  expect(gone).toEqual([old.clipId]);
  expect((await clipFiles(chatId)).map((file) => file.split('.')[0])).toEqual([heard.clipId]);
});

test('cuts an overlong text at a sentence end and returns the consumed length', async () => {
  await start({ AGENT_TTS_MAX_CHARS_PER_CALL: '30' });
  const text = 'One is here. Two is here. Three is here. Four.';
  const first = (await tts(text)).body;
  expect(first.clips.map((clip: { text: string }) => clip.text)).toEqual(['One is here. Two is here.']);
  const rest = (await tts(text.slice(first.taken))).body;
  expect(rest.clips.map((clip: { text: string }) => clip.text)).toEqual(['Three is here. Four.']);
  expect((await tts(`${'x'.repeat(50)}.`)).body.clips[0].text).toBe('x'.repeat(30));
});

test.each(['🎉', '---', '<!-- nothing -->', '** **'])('rejects text without speakable content: %j', async (text) => {
  await start();
  const { status, body } = await tts(text);
  expect([status, body.error.code]).toEqual([400, 'nothing_to_say']);
});

test('returns an error and stores nothing when the engine fails', async () => {
  await start();
  engine.fault = () => Object.assign(new Error('the voice is hoarse'), { code: 'TEST_ERR_HOARSE', status: 502 });
  expect((await tts('Hello there.')).status).toBeGreaterThanOrEqual(500);
  engine.fault = () => undefined;
  engine.between = () => Promise.reject(new Error('cut'));
  expect((await tts('Hello there.')).status).toBeGreaterThanOrEqual(500);
  const { chatId } = (await harness.call('GET', '/api/chats')).body.chats[0];
  expect(await clipFiles(chatId)).toEqual([]);
  engine.between = () => undefined;
  expect((await tts('Hello there.')).body.clips[0].cached).toBe(false);
});

test.each([
  ['no_sound', 0],
  ['too_much_sound', 2_200],
])('reports the engine name with the error %s', async (code, seconds) => {
  await start();
  engine.sound = () => wave(seconds);
  const { status, body } = await tts('Hello there.');
  expect([status, body.error.code]).toEqual([502, code]);
  expect(body.error.message).toContain('Scripted');
  expect(engine.signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('rejects a clip when the engine stalls', async () => {
  await start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const makeError = (reason: string): KernelError => Object.assign(new Error(reason), { code: `SPEECH_ERR_${reason}` });
  const kept = { find: () => Promise.resolve(undefined), save: () => Promise.resolve() } as never;
  const silent = {
    synthesize: (_: unknown, signal: AbortSignal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  };
  const engines = { engine: () => Promise.resolve({ info: { name: 'silent', title: 'Silent' }, variant: '', engine: silent }) } as never;
  const maker = createClipMaker({ engines: () => engines, store: kept, storage: { createId: () => 'clip_1' }, makeError, warn: () => undefined });
  const clip = await maker.make({ chatId: 'chat_1', text: 'Hello.', voice: 'any' }, new AbortController().signal);
  const made = expect(clip.made).rejects.toMatchObject({ code: 'SPEECH_ERR_TOO_SLOW' });
  await vi.advanceTimersByTimeAsync(20_000);
  await made;
});

test('synthesizes a clip again after another caller aborted it', async () => {
  await start();
  const bytes = wave(0.2);
  let asked = 0;
  async function* sound(): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, 60);
    if (asked++ === 0) await new Promise(() => undefined);
    yield bytes.subarray(60);
  }
  const voice = { synthesize: () => Promise.resolve({ mimeType: 'audio/wav', audio: sound(), cost: () => 0 }) };
  const engines = { engine: () => Promise.resolve({ info: { name: 'slow', title: 'Slow' }, variant: '', engine: voice }) } as never;
  const store = { find: () => Promise.resolve(undefined), save: () => Promise.resolve() } as never;
  let ids = 0;
  const makeError = (reason: string): KernelError => Object.assign(new Error(reason), { code: reason });
  const maker = createClipMaker({ engines: () => engines, store, storage: { createId: () => `clip_${ids++}` }, makeError, warn: () => undefined });
  const wish = { chatId: 'chat_1', text: 'Hello there.', voice: 'any' };
  const first = new AbortController();
  await (
    await maker.make(wish, first.signal)
  ).begun;
  first.abort(new Error('nobody wants it'));
  const again = await maker.make(wish, new AbortController().signal);
  expect([again.clipId, await again.made]).toEqual(['clip_1', { durationSec: 0.2, cost: 0 }]);
});

test('speaks a repeated text once per turn, even when turns alternate', async () => {
  const spoken: string[] = [];
  const code = {
    replies: {
      say: async (_: string, __: string, texts: readonly string[]) => (spoken.push(...texts), texts.map(() => ({ made: Promise.resolve({ durationSec: 1 }) }))),
    },
    budget: { take: () => Promise.resolve() },
    partsOf: (text: string) => ({ parts: [text], taken: text.length }),
  };
  const run = await createSpeakTool(
    () => Promise.resolve(code as never),
    () => new Error('nothing to say') as never,
  ).load?.();
  const say = (turnId: string): unknown => run?.({ text: 'Done.' } as never, { chatId: turnId, turnId, signal: new AbortController().signal } as never);
  for (const turn of ['a', 'b', 'a', 'b']) await say(turn);
  expect(spoken).toEqual(['Done.', 'Done.']);
});

test('returns 503 and registers no tool while disabled, and reports that in the config', async () => {
  await start({ AGENT_TTS_ENABLED: '0' });
  for (const [method, path, body] of [
    ['POST', '/api/tts', { text: 'Hello.' }],
    ['PUT', '/api/tts/speaker', { speakerId: 'a', on: true }],
    ['POST', '/api/tts/heard', { epoch: 1, seq: 0, heardChars: 0, reason: 'stop' }],
  ] as const) {
    const reply = await harness.call(method, path, body);
    expect([reply.status, reply.body.error.code]).toEqual([503, 'disabled']);
  }
  expect((await harness.call('GET', '/api/tools')).body.tools.some((tool: { name: string }) => tool.name === 'speak')).toBe(false);
  expect((await harness.call('GET', '/api/config')).body).toMatchObject({ ttsEnabled: false, ttsVoice: 'af_sky' });
});

test('emits speak events for the tool, skips repeated text, and limits calls per turn', async () => {
  await start({ AGENT_TTS_MAX_CALLS_PER_TURN: '2', AGENT_TOOL_LAZY: '0' });
  const speak = (text: string): object => ({ toolCalls: [{ name: 'speak', args: { text } }] });
  model.push(speak('The build is **done**.'), speak('The build is *done*.'), speak('Really.'), speak('More.'), { text: 'ok' });
  const { events } = await runTurn(harness, 'go');
  const results = events.filter(({ kind }) => kind === 'tool_result');
  expect(results.map((event) => [event['ok'], String(event['output'] ?? event['error'])])).toEqual([
    [true, 'Spoken in 1 part, 0.2 s.'],
    [true, 'Already spoken in this turn; not repeated.'],
    [true, 'Spoken in 1 part, 0.1 s.'],
    [false, expect.stringContaining('AGENT_TTS_MAX_CALLS_PER_TURN')],
  ]);
  const spoken = events.filter(({ kind }) => kind === 'speak');
  expect(spoken.map(({ seq, text }) => [seq, text])).toEqual([
    [0, 'The build is done.'],
    [1, 'Really.'],
  ]);
  expect(spoken[0]).toMatchObject({ url: expect.stringContaining('/api/tts/clip/clip_'), durationSec: null });
  expect(spoken[0]).not.toHaveProperty('speakerId');
});
