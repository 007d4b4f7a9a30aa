// A malicious provider: a raw server with scripted replies, and a chat that must survive each of them.
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Harness, openEventStream, type StreamEvent } from '../../helpers/in-process.ts';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface HostileProvider {
  readonly url: string;
  readonly asked: any[];
  /** Used one per request, followed by a valid reply. */
  readonly answers: Answer[];
  close(): Promise<void>;
}

const events = { 'content-type': 'text/event-stream' };
const chunkOf = (choice: object): string => `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
export const deltaOf = (delta: object): string => chunkOf({ index: 0, delta });
export const endOf = (finish: string): string => `${chunkOf({ index: 0, delta: {}, finish_reason: finish })}data: [DONE]\n\n`;
export const callOf = (args: string, more: object = {}): string =>
  deltaOf({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'list_directory', arguments: args }, ...more }] });

export const sends =
  (...pieces: readonly string[]): Answer =>
  (response) =>
    void response.writeHead(200, events).end(pieces.join(''));

export const refuses =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"error":{"message":"no"}}');

/** Sends this and then stalls with an open connection. */
export const stalls =
  (...pieces: readonly string[]): Answer =>
  (response) => {
    response.writeHead(200, events);
    response.flushHeaders();
    response.write(pieces.join(''));
  };

export const repeats =
  (piece: (count: number) => string): Answer =>
  (response) => {
    let count = 0;
    response.writeHead(200, events);
    const pump = (): void => {
      while (!response.destroyed) if (!response.write(piece(count++))) return void response.once('drain', () => setImmediate(pump));
    };
    pump();
  };

export const resets =
  (...pieces: readonly string[]): Answer =>
  (response) => {
    if (pieces.length === 0) return void response.socket?.resetAndDestroy();
    response.writeHead(200, events);
    response.write(pieces.join(''), () => setImmediate(() => response.socket?.resetAndDestroy()));
  };

export async function startHostileProvider(): Promise<HostileProvider> {
  const asked: any[] = [];
  const answers: Answer[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      asked.push(JSON.parse(text));
      (answers.shift() ?? sends(deltaOf({ content: 'fine' }), endOf('stop')))(response, request);
    });
  });
  server.on('clientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    answers,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

export async function sufferTurn(harness: Harness, isUsableAfter: () => unknown = () => undefined): Promise<{ end: StreamEvent; events: StreamEvent[] }> {
  const stream = await openEventStream(harness, { chatId: 'all' });
  const send = async (text: string): Promise<StreamEvent> => {
    const { status, body } = await harness.call('POST', '/api/message', { text });
    expect(status).toBe(202);
    const meanwhile = (await harness.call('GET', '/api/status')).body;
    const own = meanwhile.chats.find((chat: any) => chat.chatId === body.chatId);
    if (own.busy) expect(own).toMatchObject({ waitingFor: expect.stringMatching(/^(model|retry|tool)$/), since: expect.stringMatching(/Z$/) });
    return stream.until((event) => event.kind === 'turn_end' && event['turnId'] === body.turnId);
  };
  const end = await send('go');
  const ofTurn = stream.events.filter((event) => event['turnId'] === end['turnId']);
  expect((await harness.call('GET', '/api/status')).body.busy).toBe(false);
  await isUsableAfter();
  expect(await send('and now?')).toMatchObject({ reason: 'done' });
  expect(stream.text()).toMatch(/fine$/);
  stream.close();

  const journal = await readFile(join(harness.home, 'chats', String(end.chatId), 'session.jsonl'), 'utf8');
  expect(journal.endsWith('\n')).toBe(true);
  const kept = journal.trimEnd().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
  expect(kept.filter((event) => event.kind === 'turn_end' && event.turnId === end['turnId'])).toHaveLength(1);
  const calls = kept.filter((event) => event.kind === 'tool_start' && event.argsText !== undefined).map((event) => event.callId);
  expect(kept.filter((event) => event.kind === 'tool_result').map((event) => event.callId)).toEqual(calls);
  return { end, events: ofTurn };
}
