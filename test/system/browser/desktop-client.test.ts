// Tests the desktop protocol client in a real browser, on a page of the server's origin with only the built module.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { root } from '../../helpers/sources.ts';
import { useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

interface Noted {
  readonly events: { readonly kind: string; readonly chatId?: string; readonly id?: number; readonly [field: string]: unknown }[];
  readonly states: string[];
}

async function serveClient(context: BrowserContext, origin: string): Promise<void> {
  await context.route(`${origin}/desk/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.replace('/desk/', '');
    return route.fulfill({ contentType: 'text/javascript', body: await readFile(join(root, 'dist', name)) });
  });
}

/** URL of a script asset: same origin as the server, because browsers restrict loopback requests of other pages, and without running code. */
async function emptyPage(origin: string): Promise<string> {
  const [path] = /\/assets\/[\w.-]+\.js/.exec(await (await fetch(origin)).text()) ?? [];
  return `${origin}${path}`;
}

async function openClientPage(context: BrowserContext, origin: string, token: string, chatId = 'all'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(await emptyPage(origin));
  // Passed as a string, because the test runner rewrites functions, especially imports.
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

test('sends, approves, switches chats, and misses no event while the connection is lost', async () => {
  const call = { name: 'run_command', args: { command: 'echo made > made.txt' } };
  const script = [{ toolCalls: [call] }, { text: ['It ', 'is ', 'made.'] }, { text: ['Said ', 'meanwhile.'] }, { text: 'In the other.' }];
  const { context, server, origin, expectFault } = await visit({ isClosed: true, script });
  await serveClient(context, origin);
  const page = await openClientPage(context, origin, server.token);
  const one = (await command(page, 'create_chat', { workspaceMode: 'scratch' })).chatId;
  const other = (await command(page, 'create_chat', { workspaceMode: 'scratch' })).chatId;

  await command(page, 'send_message', { chatId: one, text: 'make it' });
  const asked = await until(page, ({ kind }) => kind === 'tool_approval');
  await command(page, 'approve', { approvalId: asked['approvalId'], decision: 'approve' });
  await until(page, ({ kind, chatId }) => kind === 'turn_end' && chatId === one);
  expect(saidIn(await notedIn(page), one)).toBe('It is made.');

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
