// Tests truncated replies over a raw connection: every reader fails immediately, long before any limit.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createTransport } from '../../../../plugins/models/transport.ts';
import { fetchGuarded } from '../../../../plugins/lib/guarded-fetch.ts';
import { fetchComplete, textOfAnswer } from '../../../../plugins/lib/complete-fetch.ts';

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const text = JSON.stringify({ text: 'abcdefghij'.repeat(500) });
const packed = gzipSync(text);
const piece = packed.subarray(0, packed.length - 6);
const chunk = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

type Way = (socket: Socket) => void;
const broken: Readonly<Record<string, Way>> = {
  'ends after its headers': (socket) => socket.end(`${head}content-length: 100\r\n\r\n`),
  'ends before its length': (socket) => socket.end(`${head}content-length: 100\r\n\r\n{"text":`),
  'is truncated inside a chunk': (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"tex\r\nff\r\nt"`),
  'is truncated between chunks': (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"tex\r\n`),
  'is reset': (socket) => socket.write(`${head}content-length: 100\r\n\r\n{"text":`, () => setImmediate(() => socket.resetAndDestroy())),
  'ends before its length, compressed': (socket) =>
    void socket.end(Buffer.concat([Buffer.from(`${head}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`), piece])),
  'has its full length but truncated compressed data': (socket) =>
    void socket.write(Buffer.concat([Buffer.from(`${head}content-encoding: gzip\r\ncontent-length: ${piece.length}\r\n\r\n`), piece])),
  'is truncated between compressed chunks': (socket) =>
    void socket.end(Buffer.concat([Buffer.from(`${head}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n`), chunk(piece)])),
};
const whole: Readonly<Record<string, Way>> = {
  'has a content length': (socket) => socket.write(`${head}content-length: ${text.length}\r\n\r\n${text}`),
  'is chunked': (socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`),
  'ends with its connection': (socket) => socket.end(`${head}connection: close\r\n\r\n${text}`),
  'is compressed, with the server half-closing': (socket) =>
    void socket.end(Buffer.concat([Buffer.from(`${head}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`), packed])),
};

async function answering(way: Way): Promise<{ readonly url: URL; readonly sockets: ReadonlySet<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', () => way(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), sockets };
}

function transport(): ReturnType<typeof createTransport> {
  const made = createTransport('test/1');
  onTestFinished(() => made.dispose());
  return made;
}
const guard = { judge: () => undefined, limit: 100_000 };
const never = new AbortController().signal;

test.each(Object.entries(broken))('a reply that %s fails for every reader', async (_, way) => {
  const { url } = await answering(way);
  const fault = /aborted|ECONNRESET|Premature close|unexpected end of file/;
  await expect(fetchComplete(url.href, {}).then((answer) => textOfAnswer(answer, 100_000))).rejects.toThrow(fault);
  await expect(fetchGuarded(url, { headers: {} }, guard)).rejects.toThrow(fault);
  expect(await transport().get({ url: url.href, headers: {} }, never)).toMatchObject({ ok: false, kind: 'transient' });
});

test.each(Object.entries(whole))('a reply that %s is read in full', async (_, way) => {
  const { url } = await answering(way);
  expect(await fetchComplete(url.href, {}).then((answer) => textOfAnswer(answer, 100_000))).toBe(text);
  const { status, bytes, isCut } = await fetchGuarded(url, { headers: {} }, guard);
  expect({ status, text: bytes.toString('utf8'), isCut }).toEqual({ status: 200, text, isCut: false });
  expect(await transport().get({ url: url.href, headers: {} }, never)).toEqual({ ok: true, payload: JSON.parse(text) });
});

test('an agent reuses connections and closes one whose reply is abandoned', async () => {
  const { url, sockets } = await answering((socket) => socket.write(`${head}content-length: ${text.length}\r\n\r\n${text}`));
  const shared = transport();
  for (let n = 0; n < 3; n++) expect(await shared.get({ url: url.href, headers: {} }, never)).toMatchObject({ ok: true });
  expect(sockets.size).toBe(1);
  const large = await answering((socket) => socket.write(`${head}content-length: 1000000\r\n\r\n${text}`));
  await expect(fetchComplete(large.url.href, {}).then((answer) => textOfAnswer(answer, 100))).rejects.toThrow('more than 100 bytes');
  await expect.poll(() => large.sockets.size).toBe(0);
});
