// Tests a conversation on a phone for each role: the server refuses no request of the page, and the page offers only permitted actions.
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, entries, isIdle, messageField, openComposerMenu, openPages, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
const voiceSettings = { AGENT_TTS_ENABLED: '1', AGENT_TRANSCRIBE_ENABLED: '1', AGENT_AUTO_APPROVE: '0' };

const isTooWide = (page: Page): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

/** Collects the refused requests. `isQuiet` returns whether no request except the stream is open and the last one started over a second ago. */
function watchRequests(page: Page): { readonly refused: string[]; isQuiet(): boolean } {
  const refused: string[] = [];
  const open = new Set<Request>();
  let last = performance.now();
  page.on('request', (request) => {
    last = performance.now();
    if (!request.url().includes('/api/stream')) open.add(request);
  });
  page.on('requestfinished', (request) => void open.delete(request));
  page.on('requestfailed', (request) => void open.delete(request));
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  return { refused, isQuiet: () => open.size === 0 && performance.now() - last > 1_000 };
}

interface Shown {
  readonly canSend: boolean;
  readonly canDictate: boolean;
  readonly canSpeakReplies: boolean;
  readonly canReadAloud: boolean;
  readonly canUndo: boolean;
  readonly canDecide: boolean;
}

const shows: Readonly<Record<string, Shown>> = {
  view: { canSend: false, canDictate: false, canSpeakReplies: false, canReadAloud: false, canUndo: false, canDecide: false },
  chat: { canSend: true, canDictate: true, canSpeakReplies: true, canReadAloud: true, canUndo: false, canDecide: false },
  full: { canSend: true, canDictate: true, canSpeakReplies: true, canReadAloud: true, canUndo: true, canDecide: true },
};

test.each(['view', 'chat', 'full'])('sends no refused request and offers only permitted actions on a phone with the role %s', async (role) => {
  const write = { name: 'write_file', args: { path: 'made.txt', content: 'made' } };
  const run = { name: 'run_command', args: { command: 'touch other.txt' } };
  const script = [{ toolCalls: [write, run] }, { text: 'It is made.' }, { text: 'Again.' }];
  const { server, context, origin } = await visit({ context: phone, isForeign: true, isClosed: true, environment: voiceSettings, script });
  const { chatId } = (await server.call('GET', '/api/workspace/current')).body;
  await server.call('POST', `/api/chats/${chatId}/activate`, {});
  const { code } = (await server.call('POST', '/api/pair/begin', { role })).body;
  const { token } = (await server.call('POST', '/api/pair', { code, deviceName: role })).body;
  // A phone paired earlier sends its token with every request.
  await context.addInitScript((given) => location.protocol === 'http:' && window === top && localStorage.setItem('token', given), token as string);
  const page = await context.newPage();
  const { refused, isQuiet } = watchRequests(page);
  await page.goto(origin);
  await isIdle(page);
  const expected = shows[role] as Shown;
  const send = async (text: string): Promise<void> => (expected.canSend ? say(page, text) : void (await server.call('POST', '/api/message', { chatId, text })));
  if (expected.canSend) await messageField(page).waitFor();
  else await page.getByText('This device is read-only').waitFor();
  await send('make it');
  await page.getByText('run_command').first().waitFor();
  const pending = async (): Promise<any[]> => (await server.call('GET', '/api/pending?chatId=all')).body.approvals;
  await expect.poll(async () => (await pending()).length).toBe(1);
  await (role === 'full' ? button(page, 'Approve').first() : page.getByRole('note', { name: /waits for approval/ })).waitFor();
  expect(
    await page
      .getByRole('button', { name: /^(?:Allow|Deny)/ })
      .count()
      .then((count) => count > 0),
  ).toBe(expected.canDecide);
  await server.call('POST', '/api/approve', { approvalId: (await pending())[0].approvalId, decision: 'approve' });
  await reads(page, 'It is made.');
  await isIdle(page);
  await expect.poll(() => entries(page, 'assistant').count()).toBeGreaterThan(0);
  // Actions with an answer comes late, and on a phone behind a button.
  await button(entries(page, 'assistant').last(), 'More actions').tap();
  await button(page, expected.canReadAloud ? 'Read aloud' : 'Copy as text')
    .first()
    .waitFor();
  const count = (name: string | RegExp): Promise<number> => page.getByRole('button', { name }).count();
  const hasSpeakReplies = async (): Promise<boolean> => {
    if ((await count('Add files and more')) === 0) return false;
    const menu = await openComposerMenu(page);
    const found = (await menu.getByRole('menuitemcheckbox', { name: 'Speak replies' }).count()) > 0;
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    return found;
  };
  expect({
    canDictate: (await count('Dictate')) > 0,
    canSpeakReplies: await hasSpeakReplies(),
    canReadAloud: (await count('Read aloud')) > 0,
  }).toEqual({ canDictate: expected.canDictate, canSpeakReplies: expected.canSpeakReplies, canReadAloud: expected.canReadAloud });

  if (role !== 'full') {
    await button(page, 'Show chats').tap();
    const links = (await openPages(page)).locator('a');
    expect(await links.allInnerTexts()).toEqual(['Search messages']);
    expect(await count(/New chat|Actions for|^(?:Mode|Model)/)).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  }

  await button(page, expected.canUndo ? 'Actions for this chat' : 'Pages about this chat').tap();
  const items = page.getByRole('menuitem');
  await items.first().waitFor();
  const names = await items.allTextContents();
  expect(names.some((name) => /Undo/.test(name))).toBe(expected.canUndo);
  if (!expected.canUndo) expect(names.map((name) => name.trim())).toEqual(['Show or hide the side pane', 'Export', 'Changes']);
  await page.getByRole('menuitem', { name: 'Changes', exact: true }).tap();
  await page.getByRole('list', { name: 'Changed files' }).getByText('made.txt').waitFor();
  expect(await isTooWide(page)).toBe(false);
  await page.goBack();
  await reads(page, 'It is made.');

  // Changed settings reach the page without a notice.
  await server.call('PUT', '/api/settings', { harness: { env: { AGENT_UI_VERBOSITY: 'quiet' } } });
  await send('once more');
  await reads(page, 'Again.');
  await isIdle(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  expect(await isTooWide(page)).toBe(false);
  expect(await axeFaults(page)).toEqual([]);
  // The page also sends requests for a while after a turn.
  await expect.poll(isQuiet).toBe(true);
  expect(refused).toEqual([]);
});
