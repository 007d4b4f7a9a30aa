// Tests the client with replaced tokens, restarts, lost events and an unreachable server.
import { indicatorOf } from 'agent-harness/client';
import { expect, it } from 'vitest';
import { type Script, startHarness } from '../../../helpers/in-process.ts';
import { keepTexts, openChat, openClient, startServer, textsOf, until, type Line } from './parts.ts';

const counting: Script = () => ({ text: ['One ', 'two ', 'three.'] });

it('reads the token from a server on the same machine', async () => {
  const { harness, line } = await startServer(counting);
  const client = openClient(line);
  await client.start();
  await until(client.connection, ({ stream }) => stream === 'open');
  expect(client.connection.get().config?.webAuthToken).toBe(harness.token);
  expect(indicatorOf(client.connection.get())).toBe('STANDBY');
});

it('reads a new token after the old one was replaced', async () => {
  const { harness, line } = await startServer(counting);
  const client = openClient(line, { token: harness.token });
  await client.start();
  await until(client.connection, ({ stream }) => stream === 'open');
  const before = line.asked.length;
  await harness.call('POST', '/api/token/rotate', {});
  await until(client.connection, ({ stream }) => stream === 'open' && line.asked.slice(before).some(({ key }) => key === 'GET /api/config'));
  await expect(client.call('GET /api/chats')).resolves.toMatchObject({ chats: expect.any(Array) });
});

it('is refused without a token, and connects with one that the user enters', async () => {
  const { harness, line, chatId } = await startServer(counting);
  const storage = keepTexts();
  // The server does not return the token to cross-site requests.
  const foreign: Line = {
    ...line,
    fetch: (address, init) => line.fetch(address, { ...init, headers: withHeader(init?.headers, 'sec-fetch-site', 'cross-site') }),
  };
  const client = openClient(foreign, { kept: storage });
  const chat = client.open(chatId);
  chat.send('Written before signing in');
  await client.start();
  await until(client.connection, ({ stream, rest }) => stream === 'refused' && rest === 'refused');
  expect(indicatorOf(client.connection.get())).toBe('WAIT API');
  client.useToken(harness.token);
  await until(client.connection, ({ stream, config }) => stream === 'open' && config !== undefined);
  await until(chat.state, ({ entries, running, isLoaded }) => isLoaded && entries.length === 2 && !running);
  expect(storage.texts.get('token')).toBe(harness.token);
});

function withHeader(headers: HeadersInit | undefined, name: string, value: string): Headers {
  const all = new Headers(headers);
  all.set(name, value);
  return all;
}

it('shows the same chat after a server restart', async () => {
  const { harness, line, chatId, model } = await startServer(counting);
  const client = openClient(line, { token: harness.token });
  await client.start();
  const chat = client.open(chatId);
  chat.send('Before');
  await until(chat.state, ({ entries, running }) => entries.length === 2 && !running);
  const [first] = chat.state.get().entries;
  line.target = undefined;
  await harness.close({ keepFiles: true });
  await until(client.connection, ({ stream, rest }) => stream === 'lost' && rest === 'down');
  expect(indicatorOf(client.connection.get())).toBe('OFFLINE');
  const again = await startHarness({ home: harness.home, workspace: harness.workspace, environment: model.environment });
  chat.send('Meanwhile');
  line.target = again;
  await until(chat.state, ({ entries, running }) => entries.length === 4 && !running);
  expect(textsOf(chat.state.get().entries)).toEqual(['Before', 'One two three.', 'Meanwhile', 'One two three.']);
  expect(chat.state.get().entries[0]).toBe(first);
  expect(client.connection.get()).toMatchObject({ stream: 'open', rest: 'up' });
});

it('reloads the transcript after lost events or a resync', async () => {
  const { harness, line, chatId } = await startServer(counting);
  let change = (text: string): string => text;
  const lossy: Line = {
    ...line,
    async fetch(address, init) {
      const reply = await line.fetch(address, init);
      if (!address.includes('/api/stream') || !reply.body) return reply;
      const body = reply.body.pipeThrough(new TextDecoderStream()).pipeThrough(new TransformStream<string, string>({ transform: (piece, control) => control.enqueue(change(piece)) })).pipeThrough(new TextEncoderStream()); // prettier-ignore
      return new Response(body, { status: reply.status });
    },
  };
  const client = openClient(lossy, { token: harness.token });
  const chat = await openChat(client, chatId);
  change = (text) => text.split('\n\n').filter((frame) => !frame.includes('"delta":"One "')).join('\n\n'); // prettier-ignore
  chat.send('Go');
  await until(chat.state, ({ entries }) => textsOf(entries).join('|') === 'Go|One two three.');
  const asked = line.asked.length;
  change = (text) => `${text}data: {"kind":"resync","at":"","reason":"test"}\n\n`;
  await harness.call('POST', '/api/session/reset', { mode: 'soft', chatId });
  await until(chat.state, ({ entries }) => entries.length === 3 && line.asked.slice(asked).some(({ key }) => key.includes('/transcript')));
});

it('detects the end of a turn without an event stream', async () => {
  const { harness, line, chatId } = await startServer(counting);
  const deaf: Line = {
    ...line,
    async fetch(address, init) {
      if (!address.includes('/api/stream')) return line.fetch(address, init);
      throw new TypeError('no streams here');
    },
  };
  const client = openClient(deaf, { token: harness.token });
  const chat = await openChat(client, chatId);
  chat.send('Go');
  await until(chat.state, ({ running }) => running !== undefined);
  await until(chat.state, ({ running, entries }) => running === undefined && entries.length === 2, 20_000);
  expect(textsOf(chat.state.get().entries)).toEqual(['Go', 'One two three.']);
  expect(indicatorOf(client.connection.get())).toBe('WAIT API');
});

it('closes its connections and makes no further requests after close', async () => {
  const { harness, line, chatId } = await startServer(counting);
  const client = openClient(line, { token: harness.token });
  await openChat(client, chatId);
  client.close();
  const asked = line.asked.length;
  await expect.poll(() => harness.kernel.resolve('stream').clients).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(line.asked).toHaveLength(asked);
});
