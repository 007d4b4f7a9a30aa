// Tests reading an endless reply over a plain socket.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { canPace, openPaced } from '#lib/paced-stream';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('delivers everything in order, joins split characters, and batches small writes', async () => {
  const count = 400;
  const url = await serve((request, reply) => {
    expect(request.headers).toMatchObject({ authorization: 'Bearer secret', host: new URL(url).host });
    expect(request.url).toBe('/api/stream?chatId=all');
    let at = 0;
    const next = (): void => {
      // Omits one byte of the character, so that it is split repeatedly.
      const bytes = Buffer.from(`ü${at} 👍\n`);
      reply.write(bytes.subarray(0, 1));
      reply.write(bytes.subarray(1));
      if (++at < count) setImmediate(next);
      else reply.end();
    };
    next();
  });
  const reply = await openPaced(`${url}/api/stream?chatId=all`, { authorization: 'Bearer secret' }, new AbortController().signal, 30);
  expect(reply.status).toBe(200);
  const pieces: string[] = [];
  await reply.read((text) => void pieces.push(text));
  expect(pieces.join('')).toBe(Array.from({ length: count }, (_, at) => `ü${at} 👍\n`).join(''));
  expect(pieces.length).toBeLessThan(count / 2);
});

test('a reply larger than one read is not delayed', async () => {
  const text = 'x'.repeat(3_000_000);
  const url = await serve((_, reply) => void reply.end(text));
  const reply = await openPaced(url, {}, new AbortController().signal, 5);
  let size = 0;
  await reply.read((piece) => void (size += piece.length));
  expect(size).toBe(text.length);
});

test('returns the status of a rejection, and rejects on a missing or invalid server and on an abort', async () => {
  const url = await serve((_, reply) => void reply.writeHead(401).end('no'));
  const never = new AbortController().signal;
  expect((await openPaced(url, {}, never, 5)).status).toBe(401);
  server?.close();
  server?.closeAllConnections();
  await expect(openPaced(url, {}, never, 5)).rejects.toThrow(/ECONNREFUSED/);
  const silent = await serve((_, reply) => void reply.write('begun'));
  const given = new AbortController();
  const reply = await openPaced(silent, {}, given.signal, 5);
  const reading = reply.read(() => given.abort());
  await expect(reading).rejects.toThrow('Reading was aborted.');
  await expect(openPaced(silent, {}, given.signal, 5)).rejects.toThrow('Reading was aborted.');
  const broken = await serve((request) => void request.socket.end('SSH-2.0-nobody\r\n\r\n'));
  await expect(openPaced(broken, {}, never, 5)).rejects.toThrow('The reply is not HTTP.');
  expect(canPace('https://127.0.0.1:1')).toBe(false);
});

test('a server that dies midway ends the read', async () => {
  const url = await serve((request, reply) => {
    reply.write('first');
    request.socket.on('close', () => undefined);
  });
  const reply = await openPaced(url, {}, new AbortController().signal, 5);
  const got: string[] = [];
  const reading = reply.read((text) => {
    got.push(text);
    server?.closeAllConnections();
  });
  await Promise.allSettled([reading]);
  expect(got.join('')).toBe('first');
});
