// Tests large, partial and slow responses to a remote phone: same content as in the local network, within the flow-control window.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32, deflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { waveHead } from '#lib/sound';
import { openPhone, pairPhone, type OpenPhone } from '../../helpers/phone-link.ts';
import { useAll } from '../../helpers/use-opened.ts';
import { useSignedInHome } from './signed-in-home.ts';
import { createScriptedEngine } from '../../unit/builtins/speech/scripted-engine.ts';

const windowBytes = 256 * 1024;
const mostBytes = 64 * 1024 * 1024;
/** Streams of /api/large, produced as fast as they are read. */
const endless: Readable[] = [];
const largeReplies = {
  manifest: { name: 'large-replies' },
  register(registry: any) {
    registry.add('route', {
      key: 'GET /api/large',
      ...{ summary: 'Many bytes.', tag: 'test', schema: {}, permission: 'chats.read', mediaType: 'application/octet-stream' },
      handle() {
        let left = mostBytes;
        const stream = new Readable({
          read(size) {
            const length = Math.min(size, left);
            left -= length;
            this.push(length === 0 ? null : Buffer.alloc(length));
          },
        });
        endless.push(stream);
        return { content: { stream }, type: 'application/octet-stream' };
      },
    });
  },
};

const engine = createScriptedEngine();
engine.sound = () => Buffer.concat([waveHead(8_000), randomBytes(400_000)]);
const { plane, start } = useSignedInHome();
const harness = useAll(() =>
  start({
    builtins: ['model-demo', 'hub', 'pairing', 'pairing-outside', 'audio-engines', 'speech'],
    environment: { AGENT_TTS_ENABLED: '1', AGENT_TTS_MIN_INTERVAL_MS: '0' },
    modules: { 'test-voice': engine.module, 'large-replies': largeReplies as never },
  }),
);

interface Come extends OpenPhone {
  readonly id: string;
  readonly brought: number;
}

async function come(role: string): Promise<Come> {
  const { address } = (await harness.call('POST', '/api/pair/begin', { way: 'outside', role })).body;
  const paired = await pairPhone(address);
  let brought = 0;
  const phone = openPhone(plane.url, paired, async (path, init, ask) => {
    const reply = await ask(path, init);
    if (!path.includes('/poll') || reply.status !== 200) return reply;
    const packet = await reply.arrayBuffer();
    brought += packet.byteLength;
    return new Response(packet, reply);
  });
  onTestFinished(() => phone.link.close());
  const { devices } = (await harness.call('GET', '/api/pair/devices')).body;
  return Object.defineProperty(Object.assign(phone, { id: devices.at(-1).id, brought: 0 }), 'brought', { get: () => brought });
}

/** An incompressible PNG. */
function noise(): Buffer {
  const [width, height] = [500, 400];
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const rows = Array.from({ length: height }, () => Buffer.concat([Buffer.alloc(1), randomBytes(width * 3)]));
  const part = (name: string, content: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name), content]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([start, part('IHDR', head), part('IDAT', deflateSync(Buffer.concat(rows))), part('IEND', Buffer.alloc(0))]);
}

const bytesOf = async (reply: Response): Promise<Buffer> => Buffer.from(await reply.arrayBuffer());
const direct = (path: string): Promise<Response> => fetch(harness.url + path, { headers: { authorization: `Bearer ${harness.token}` } });

/** Requests the path whole, by ranges, with a known ETag and beyond its end, like a media player and the page. */
async function comesInParts(phone: OpenPhone, path: string, type: string): Promise<void> {
  const ask = async (headers: Record<string, string> = {}): Promise<{ readonly reply: Response; readonly bytes: Buffer }> => {
    const reply = await phone.fetch(plane.url + path, { headers });
    return { reply, bytes: await bytesOf(reply) };
  };
  const whole = await bytesOf(await direct(path));
  expect(whole.length).toBeGreaterThan(windowBytes);
  const { reply: all, bytes } = await ask();
  expect([all.status, all.headers.get('content-type'), all.headers.get('accept-ranges')]).toEqual([200, type, 'bytes']);
  expect(bytes.equals(whole)).toBe(true);
  for (const [range, from, to] of [
    ['bytes=0-1', 0, 2],
    ['bytes=300000-', 300_000, whole.length],
    ['bytes=-1000', whole.length - 1_000, whole.length],
  ] as const) {
    const { reply: part, bytes: some } = await ask({ range });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${from}-${to - 1}/${whole.length}`]);
    expect(some.equals(whole.subarray(from, to))).toBe(true);
  }
  expect((await ask({ 'if-none-match': all.headers.get('etag') ?? '' })).reply.status).toBe(304);
  expect((await ask({ range: `bytes=${whole.length}-` })).reply.status).toBe(416);
}

test('serves a voice clip whole and by ranges', async () => {
  const phone = await come('chat');
  const { body } = await harness.call('POST', '/api/tts', { text: 'Good morning.' });
  await comesInParts(phone, body.clips[0].url, 'audio/wav');
}, 60_000);

test('returns an image sent by a remote phone unchanged', async () => {
  const phone = await come('chat');
  const picture = noise();
  const attachments = [{ name: 'far.png', dataUrl: `data:image/png;base64,${picture.toString('base64')}` }];
  expect((await phone.call('POST', '/api/message', { text: 'What is this?', attachments })).status).toBe(202);
  const { chatId } = (await phone.call('GET', '/api/workspace/current')).body;
  const sent = async (): Promise<any> =>
    (await phone.call('GET', `/api/chats/${chatId}/transcript`)).body.entries.flatMap((entry: any) => entry.attachments ?? [])[0];
  await expect.poll(sent).toMatchObject({ name: 'far.png' });
  const { attachmentId } = await sent();
  const path = `/api/attachments/${attachmentId}?chatId=${chatId}`;
  expect((await bytesOf(await direct(path))).equals(picture)).toBe(true);
  await comesInParts(phone, path, 'image/png');
}, 60_000);

test('ends the event stream of a phone when its role changes and applies the new role without unpairing', async () => {
  const phone = await come('full');
  const say = async (): Promise<number> => (await phone.call('POST', '/api/message', { text: 'from outside' })).status;
  const open = async (): Promise<ReadableStreamDefaultReader<Uint8Array>> => {
    const reply = await phone.fetch(`${plane.url}/api/stream?chatId=all`);
    expect(reply.status).toBe(200);
    const reader = reply.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    return reader;
  };
  const ends = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
    while (!(await reader.read()).done);
  };
  for (const [role, status] of [
    ['view', 403],
    ['chat', 202],
  ] as const) {
    const [stream, large] = [await open(), (await phone.fetch(`${plane.url}/api/large`)).body!.getReader()];
    await large.read();
    expect((await harness.call('PATCH', `/api/pair/devices/${phone.id}`, { role })).status).toBe(200);
    await ends(stream);
    expect([role, await say()]).toEqual([role, status]);
    expect((await large.read()).done).toBe(false);
    await large.cancel();
  }
  expect((await phone.call('PUT', '/api/settings', {})).status).toBe(403);
  await (await open()).cancel();
  expect([phone.greeted, phone.states.filter(([state]) => state === 'over')]).toEqual([1, []]);
}, 60_000);

test('limits a slow reader to its window, serves other requests meanwhile and stops when it cancels', async () => {
  const phone = await come('full');
  const before = endless.length;
  const reader = (await phone.fetch(`${plane.url}/api/large`)).body!.getReader();
  await reader.read();
  await expect.poll(() => phone.brought, { timeout: 20_000 }).toBeGreaterThan(windowBytes - 64 * 1024);
  for (let at = 0; at < 20; at++) expect((await phone.call('GET', '/api/status')).status).toBe(200);
  // Repeated packets and the other replies add to the total.
  const stalled = phone.brought;
  expect(stalled).toBeLessThan(3 * windowBytes);
  for (let taken = 0; taken < 4 * windowBytes;) taken += (await reader.read()).value?.length ?? 0;
  await expect.poll(() => phone.brought, { timeout: 20_000 }).toBeGreaterThan(stalled + 3 * windowBytes);
  expect(phone.brought).toBeLessThan(stalled + 9 * windowBytes);
  const [stream] = endless.slice(before);
  expect(stream?.destroyed).toBe(false);
  await reader.cancel();
  await expect.poll(() => stream?.destroyed, { timeout: 20_000 }).toBe(true);
  expect(phone.greeted).toBe(1);
}, 90_000);
