import { beforeEach, describe, expect, test } from 'vitest';
import { createClient, type Client } from '../../../../builtins/clients/cli/http-client.ts';
import { chatId, createFakeServer } from './fake-server.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const parts = { error: (reason: string, details: object) => Object.assign(new Error(reason), { code: `CLI_ERR_${reason}`, details }) } as never;
let client: Client;

const server = useEach(() => createFakeServer());
beforeEach(async () => {
  await server.listen();
  client = createClient(parts, server.url(), server.token);
});

describe('client.call', () => {
  test('sends the token and a JSON body, also without content', async () => {
    server.on('POST /api/session/abort', ({ body }) => ({ body: { got: body } }));
    expect(await client.call('POST', '/api/session/abort')).toEqual({ got: {} });
  });

  test('rejects with the code, message and status of an error reply', async () => {
    server.on('GET /api/x', () => ({ status: 409, body: { error: { code: 'turn_in_progress', message: 'A turn is running.' } } }));
    await expect(client.call('GET', '/api/x')).rejects.toMatchObject({ code: 'turn_in_progress', message: 'A turn is running.', status: 409 });
    await expect(createClient(parts, server.url(), 'other').call('GET', '/api/status')).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  });

  test('rejects with the cause when no server is listening', async () => {
    const url = server.url();
    await server.close();
    await expect(client.call('GET', '/api/status')).rejects.toMatchObject({
      code: 'CLI_ERR_NO_ANSWER',
      details: { url, why: expect.stringContaining('ECONNREFUSED') },
    });
  });
});

describe('client.stream', () => {
  test('resumes after the last received event when the connection is cut', async () => {
    const stop = new AbortController();
    const seen: unknown[] = [];
    for await (const event of client.stream(chatId, stop.signal)) {
      if (event.kind === 'connected' && server.connections.length === 1) server.emit({ kind: 'one' });
      if (event.kind === 'one') {
        server.cut();
        server.emit({ kind: 'two' });
      }
      if (event.kind === 'two') server.emit({ kind: 'three' });
      if (event.kind !== 'connected') seen.push([event.id, event.kind]);
      if (event.kind === 'three') stop.abort();
    }
    expect(seen).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ]);
    expect(server.connections).toEqual([undefined, '1']);
  });

  test('resumes from the cursor when the connection is cut before the first event', async () => {
    server.emit({ kind: 'before' });
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const event of client.stream(chatId, stop.signal)) {
      if (event.kind === 'connected' && server.connections.length === 1) {
        server.cut();
        server.emit({ kind: 'missed' });
      }
      if (event.kind !== 'connected') seen.push(event.kind);
      if (event.kind === 'missed') stop.abort();
    }
    expect(seen).toEqual(['missed']);
  });

  test('rejects immediately when the token is refused', async () => {
    const stranger = createClient(parts, server.url(), 'other').stream(chatId, new AbortController().signal);
    await expect(stranger.next()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('rejects when the server does not return within the time limit', async () => {
    const stream = createClient(parts, server.url(), server.token, 100).stream(chatId, new AbortController().signal);
    await stream.next();
    await server.close();
    await expect(stream.next()).rejects.toMatchObject({ code: 'CLI_ERR_STREAM_LOST', details: { why: 'NO_ANSWER' } });
  });

  test('ends without an error when aborted', async () => {
    const stop = new AbortController();
    const stream = client.stream(chatId, stop.signal);
    await stream.next();
    const next = stream.next();
    stop.abort();
    expect(await next).toMatchObject({ done: true });
  });
});
