// Kills the process during speech synthesis: no partial clip remains, and stored clips are complete.
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

const kills = Number(process.env['SPEECH_KILLS'] ?? 4);
const part = Buffer.alloc(24_000);

let provider: Server;
let home: string;
let server: ServerProcess;
/** Number of parts that the provider sends before it stalls. With all of them it also ends the response. */
let sends: number;
let onAsked: () => void;
beforeEach(async () => {
  sends = 4;
  onAsked = () => undefined;
  home = await mkdtemp(join(tmpdir(), 'speech-crash-'));
  provider = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      for (let at = 0; at < Math.min(sends, 4); at++) response.write(part);
      if (sends >= 4) response.end();
      onAsked();
    });
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
});
afterEach(async () => {
  await server.stop();
  provider.closeAllConnections();
  provider.close();
  await rm(home, { recursive: true, force: true });
});

async function start(): Promise<void> {
  server = await startServerProcess({
    home,
    workspace: home,
    environment: {
      AGENT_TTS_ENABLED: '1',
      AGENT_TTS_FORMAT: 'pcm',
      AGENT_API_KEY: 'key',
      AGENT_API_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
    },
  });
  while ((await server.call('GET', '/api/config')).status === 503) await setTimeout(2);
}

async function clips(): Promise<{ readonly name: string; readonly bytes: Buffer }[]> {
  const [{ chatId }] = (await server.call('GET', '/api/chats')).body.chats as [{ chatId: string }];
  const folder = join(home, 'chats', chatId, 'audio', 'speech');
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.filter((name) => name.startsWith('clip_')).map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })));
}

test('discards a clip when killed while it arrives and synthesises the same text again', async () => {
  await start();
  sends = 2;
  const asked = new Promise<void>((resolve) => (onAsked = resolve));
  const lost = server.call('POST', '/api/tts', { text: 'Half of this is lost.' }).catch(() => undefined);
  await asked;
  await server.stop('SIGKILL');
  await lost;
  await start();
  expect(await clips()).toEqual([]);
  sends = 4;
  const { body } = await server.call('POST', '/api/tts', { text: 'Half of this is lost.' });
  expect(body.clips).toMatchObject([{ cached: false, durationSec: 2 }]);
});

test('keeps every answered clip, and only complete clips, when killed while storing', async () => {
  await start();
  for (let round = 0; round < kills; round++) {
    let seen = 0;
    const some = new Promise<void>((resolve) => (onAsked = () => void (++seen > round % 5 && resolve())));
    const answered: string[] = [];
    const speaking = (async () => {
      for (let turn = 0; ; turn++) answered.push((await server.call('POST', '/api/tts', { text: `Round ${round}, text ${turn}.` })).body.clips[0].clipId);
    })().catch(() => undefined);
    await some;
    await server.stop('SIGKILL');
    await speaking;
    await start();
    const there = await clips();
    for (const { name, bytes } of there) {
      expect(Number(name.split('.')[3]), name).toBe(bytes.length);
      expect(bytes.readUInt32LE(40), name).toBe(bytes.length - 44);
    }
    for (const clipId of answered) expect(there.some(({ name }) => name.startsWith(`${clipId}.`))).toBe(true);
  }
}, 600_000);
