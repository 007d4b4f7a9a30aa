// The client of the desktop protocol in a real browser: a page of the server's own origin that has nothing but the built module.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { root } from '../../helpers/sources.ts';
import { useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

/** What the page notes, for the test to look at. */
interface Noted {
  readonly events: { readonly kind: string; readonly chatId?: string; readonly id?: number; readonly [field: string]: unknown }[];
  readonly states: string[];
}

/** Parts of the built client, below an address that the server itself does not know. */
async function serveClient(context: BrowserContext, origin: string): Promise<void> {
  await context.route(`${origin}/desk/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.replace('/desk/', '');
    return route.fulfill({ contentType: 'text/javascript', body: await readFile(join(root, 'dist', name)) });
  });
}

/** Of the server itself, as the browser lets no made-up page near a loopback address, and with nothing in it that runs. */
async function emptyPage(origin: string): Promise<string> {
  const [path] = /\/assets\/[\w.-]+\.js/.exec(await (await fetch(origin)).text()) ?? [];
  return `${origin}${path}`;
}

/** Opens the page and, in it, a connection as `desk`. `sockets` are those that it made, so that a test can cut them. */
async function openDesk(context: BrowserContext, origin: string, token: string, chatId = 'all'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(await emptyPage(origin));
  // As a text: what is written as a function here is rewritten by what runs the tests, imports in it above all.
  await page.evaluate(`import('${origin}/desk/client.mjs').then((client) => void Object.assign(globalThis, { client }))`);
  await page.evaluate(
    ([at, secret, chat]) => {
      const { client } = globalThis as any;
      const noted = { events: [] as unknown[], states: [] as string[] };
      const sockets: WebSocket[] = [];
      const desk = client.openDesktopSocket({
        ...{ origin: at, token: secret, chatId: chat, waits: { first: 20, longest: 100 } },
        webSocket(url: string, protocols: string[]) {
          const socket = new WebSocket(url, protocols);
          sockets.push(socket);
          return socket;
        },
        onEvents: (events: unknown[]) => void noted.events.push(...events),
        onState: (state: string) => void noted.states.push(state),
      });
      Object.assign(globalThis, { desk, noted, sockets });
    },
    [origin, token, chatId] as const,
  );
  await expect.poll(async () => (await notedIn(page)).states.at(-1)).toMatch(/open|refused/);
  return page;
}

const notedIn = (page: Page): Promise<Noted> => page.evaluate(() => (globalThis as any).noted as Noted);

/** Answers what a command answers, or the code and the status of its refusal. */
function command(page: Page, name: string, data: object = {}): Promise<any> {
  return page.evaluate(
    ([given, fields]) =>
      (globalThis as any).desk.command(given, fields).catch((fault: { code?: string; status?: number }) => ({ code: fault.code, status: fault.status })),
    [name, data] as const,
  );
}

async function until(page: Page, fits: (event: Noted['events'][number]) => boolean): Promise<Noted['events'][number]> {
  await expect.poll(async () => (await notedIn(page)).events.some(fits)).toBe(true);
  return (await notedIn(page)).events.find(fits) as Noted['events'][number];
}

const saidIn = ({ events }: Noted, chatId: string): string =>
  events.flatMap((event) => (event.kind === 'text' && event.chatId === chatId && event['channel'] === 'user' ? [String(event['delta'])] : [])).join('');

test('a page sends, reads along, approves, switches between chats, and misses nothing while its connection is cut', async () => {
  const call = { name: 'run_command', args: { command: 'echo made > made.txt' } };
  const script = [{ toolCalls: [call] }, { text: ['It ', 'is ', 'made.'] }, { text: ['Said ', 'meanwhile.'] }, { text: 'In the other.' }];
  const { context, server, origin, expectFault } = await visit({ isClosed: true, script });
  await serveClient(context, origin);
  const page = await openDesk(context, origin, server.token);
  const one = (await command(page, 'create_chat', { workspaceMode: 'scratch' })).chatId;
  const other = (await command(page, 'create_chat', { workspaceMode: 'scratch' })).chatId;

  await command(page, 'send_message', { chatId: one, text: 'make it' });
  const asked = await until(page, ({ kind }) => kind === 'tool_approval');
  await command(page, 'approve', { approvalId: asked['approvalId'], decision: 'approve' });
  await until(page, ({ kind, chatId }) => kind === 'turn_end' && chatId === one);
  expect(saidIn(await notedIn(page), one)).toBe('It is made.');

  // Cut while nobody expects it, and something is said before it is back.
  expectFault(/WebSocket|INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await page.evaluate(() => (globalThis as any).sockets.at(-1).close());
  await expect.poll(async () => (await notedIn(page)).states).toContain('lost');
  await server.call('POST', '/api/message', { chatId: one, text: 'and now' });
  await expect.poll(async () => JSON.stringify((await server.call('GET', `/api/chats/${one}/transcript`)).body)).toContain('Said meanwhile.');
  await context.setOffline(false);
  await expect.poll(async () => (await notedIn(page)).states.at(-1)).toMatch(/open|resumed/);
  await expect.poll(async () => saidIn(await notedIn(page), one)).toBe('It is made.Said meanwhile.');
  const ids = (await notedIn(page)).events.flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));

  await command(page, 'send_message', { chatId: other, text: 'here' });
  await until(page, ({ kind, chatId }) => kind === 'turn_end' && chatId === other);
  expect(saidIn(await notedIn(page), other)).toBe('In the other.');
});

test('the whole client goes over one connection, from one chat to another', async () => {
  const { context, server, origin } = await visit({ isClosed: true, script: [{ text: 'First answer.' }, { text: 'Second answer.' }] });
  await serveClient(context, origin);
  const page = await openDesk(context, origin, server.token);
  const posts: string[] = [];
  page.on('request', (request) => void posts.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const chats = [
    (await command(page, 'create_chat', { workspaceMode: 'scratch' })).chatId,
    (await command(page, 'create_chat', { workspaceMode: 'scratch' })).chatId,
  ];
  const shown = await page.evaluate(
    async ([at, token, ids]) => {
      const { createClient, overSocket } = (globalThis as any).client;
      const client = createClient({ origin: at, token, transport: overSocket() });
      await client.start();
      const texts: string[][] = [];
      for (const id of ids) {
        const chat = client.open(id);
        chat.send(`Hello ${ids.indexOf(id)}`);
        await new Promise<void>((resolve) => {
          const look = (): void => {
            if (chat.state.get().entries.some((entry: any) => entry.kind === 'assistant' && /answer\./.test(entry.text))) resolve();
          };
          chat.state.subscribe(look);
          look();
        });
        texts.push(chat.state.get().entries.map((entry: any) => entry.text));
      }
      client.close();
      return texts;
    },
    [origin, server.token, chats] as const,
  );
  expect(shown).toEqual([
    ['Hello 0', 'First answer.'],
    ['Hello 1', 'Second answer.'],
  ]);
  expect(posts.filter((post) => post.startsWith('POST'))).toEqual([]);
});

test('a page with the token of a device may what the device may, and hears no more than that', async () => {
  const { context, server, origin, expectFault } = await visit({ isClosed: true, script: [{ text: 'Heard.' }] });
  await serveClient(context, origin);
  const { code } = (await server.call('POST', '/api/pair/begin', { role: 'view' })).body;
  const { token, device } = (await server.call('POST', '/api/pair', { code, deviceName: 'desk' })).body;
  const page = await openDesk(context, origin, token);
  const { chatId } = (await server.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body;
  expect(await command(page, 'send_message', { chatId, text: 'no' })).toEqual({ code: 'forbidden', status: 403 });
  expect(await command(page, 'settings')).toEqual({ code: 'forbidden', status: 403 });
  await server.call('PUT', '/api/settings', { harness: { env: { AGENT_UI_VERBOSITY: 'quiet' } } });
  await until(page, ({ kind }) => kind === 'config_changed');
  expect((await notedIn(page)).events.map(({ kind }) => kind)).not.toContain('settings_changed');

  await server.call('PATCH', `/api/pair/devices/${device.id}`, { role: 'chat' });
  await expect.poll(async () => (await command(page, 'send_message', { chatId, text: 'yes' })).turnId).toBeTruthy();
  await until(page, ({ kind, chatId: of }) => kind === 'turn_end' && of === chatId);
  expectFault(/WebSocket|401/);
  await server.call('DELETE', `/api/pair/devices/${device.id}`);
  await expect.poll(async () => (await notedIn(page)).states.at(-1)).toBe('refused');
});

test('speaking and dictating are commands: a text is heard, and what is dictated goes by its frames', async () => {
  const environment = { AGENT_TTS_ENABLED: '1', AGENT_SPEECH_LOCAL: '1', AGENT_TTS_ENGINE: 'espeak-ng' };
  const { context, server, origin } = await visit({ isClosed: true, script: [{ text: 'Opened.' }], environment });
  await serveClient(context, origin);
  const page = await openDesk(context, origin, server.token);
  const { chatId } = await command(page, 'create_chat', { workspaceMode: 'scratch' });
  const spoken = await command(page, 'speak', { text: 'It is open.', chatId });
  // A machine without the program that speaks says so; the command is there either way.
  if (spoken.status === undefined) expect(spoken.clips[0]).toMatchObject({ text: 'It is open.', url: expect.stringContaining('/api/tts/clip/') });
  else expect([spoken.status, spoken.code]).toEqual([expect.any(Number), expect.stringMatching(/engine|program|speech|unavailable/)]);
  await command(page, 'send_message', { chatId, text: 'open the door', liveDictation: true });
  const accepted = await until(page, ({ kind }) => kind === 'message_accepted');
  expect(accepted).toMatchObject({ text: 'open the door', liveDictation: true });
});
