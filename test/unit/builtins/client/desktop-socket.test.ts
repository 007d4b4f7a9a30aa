// Tests the client over the desktop protocol: same calls and errors as over HTTP, and no lost messages across a restart.
import { createClient, openDesktopSocket, overSocket, type Client, type DesktopSocket, type WireEvent } from 'agent-harness/client';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Harness, startHarness, startScriptedModel, useFolder } from '../../../helpers/in-process.ts';
import { lineOrigin, openLine, shortWaits, textsOf, until, type Line } from './parts.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';

interface Opened {
  readonly desk: DesktopSocket;
  readonly events: WireEvent[];
  readonly states: string[];
}

async function open(harness: Harness, token: string = harness.token): Promise<Opened> {
  const [events, states]: [WireEvent[], string[]] = [[], []];
  const desk = openDesktopSocket({
    ...{ origin: harness.url, token, chatId: 'all', waits: { first: 20, longest: 50 } },
    webSocket: (url, protocols) => new WebSocket(url, protocols),
    onEvents: (some) => void events.push(...some),
    onState: (state) => void states.push(state),
  });
  closeAfterTest(() => desk.close());
  await expect.poll(() => states.length).toBeGreaterThan(0);
  return { desk, events, states };
}

async function startServer(home?: string): Promise<{ harness: Harness; environment: Record<string, string | undefined> }> {
  const model = await startScriptedModel(() => ({ text: ['One ', 'two ', 'three.'] }));
  const harness = await startHarness({ environment: model.environment, ...(home === undefined ? {} : { home }) });
  return { harness, environment: model.environment };
}

const home = useFolder('client-home-');

it('calls routes and commands, with the same errors as HTTP', async () => {
  const { harness } = await startServer();
  const { desk, states } = await open(harness);
  expect(states).toEqual(['open']);
  const { chatId } = await desk.command('create_chat', { workspaceMode: 'scratch', title: 'Over the wire' });
  expect(await desk.call('GET /api/chats/:id', { params: { id: chatId } })).toMatchObject({ chatId, title: 'Over the wire' });
  expect((await desk.command('chat', { id: chatId })).title).toBe('Over the wire');
  await expect(desk.command('chat', { id: 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV' })).rejects.toMatchObject({ name: 'CallError', code: 'not_found', status: 404 });
  await expect(desk.call('POST /api/session/abort', { body: { chatId } })).rejects.toMatchObject({ code: 'no_turn', status: 409 });
  await expect(desk.call('GET /api/status', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  // Too long for a frame of this client, so the call uses HTTP and gets the same error.
  const env = { AGENT_MODEL: 'x'.repeat(5_000_000) };
  await expect(desk.call('PUT /api/settings', { body: { harness: { env } } })).rejects.toMatchObject({ code: 'too_large', status: 413 });
});

it('reports a refused token', async () => {
  const { harness } = await startServer();
  const { desk, states } = await open(harness, 'a wrong one');
  expect(states).toEqual(['refused']);
  await expect(desk.call('GET /api/status')).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  await expect(desk.command('status')).rejects.toMatchObject({ code: 'network' });
});

function openClient(line: Line, token: string): Client {
  const client = createClient({
    ...{ origin: lineOrigin, token, waits: shortWaits },
    fetch: (address, init) => line.fetch(address as string, init),
    schedule: (work) => void setImmediate(work),
    transport: overSocket({
      webSocket: (url, protocols) =>
        new WebSocket(url.replace(lineOrigin.replace('http', 'ws'), line.target?.url.replace('http', 'ws') ?? 'ws://127.0.0.1:9'), protocols),
    }),
  });
  closeAfterTest(() => client.close());
  return client;
}

it('runs a whole client across a server restart without lost or repeated messages', async () => {
  const { harness, environment } = await startServer(home);
  const { chatId } = (await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body;
  const line = openLine(harness);
  const client = openClient(line, harness.token);
  await client.start();
  await until(client.connection, ({ stream }) => stream === 'open');
  const chat = client.open(chatId);
  chat.send('First');
  await until(chat.state, ({ entries }) => textsOf(entries).includes('One two three.'));
  expect(line.asked.map(({ key }) => key)).not.toContain('POST /api/message');

  line.target = undefined;
  await harness.close({ keepFiles: true });
  await until(client.connection, ({ stream }) => stream === 'lost');
  chat.send('Written while nobody was there');
  const again = await startHarness({ environment, home });
  line.target = again;
  await until(client.connection, ({ stream }) => stream === 'open');
  const { entries } = await until(chat.state, ({ entries: all }) => textsOf(all).filter((text) => text === 'One two three.').length === 2);
  expect(textsOf(entries)).toEqual(['First', 'One two three.', 'Written while nobody was there', 'One two three.']);
});
