// Tests hostile content: nothing is executed or fetched, and the page stays responsive.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { conversation, entries, isIdle, messageField, reads, say, toolCards, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

const hostile = [
  '<script>window.pwned = "script"</script>',
  '<img src="x" onerror="window.pwned = \'onerror\'">',
  '<svg onload="window.pwned = \'svg\'"><script>window.pwned = "svg script"</script></svg>',
  '<iframe src="https://evil.example/frame"></iframe><object data="https://evil.example/o"></object>',
  '<style>@import url("https://evil.example/s.css"); body { background: url(https://evil.example/b.png) }</style>',
  '<a href="javascript:window.pwned=1" onclick="window.pwned=2">html link</a>',
  '[js link](javascript:window.pwned=3) [spaced](java\tscript:window.pwned=4) [upper](JaVaScRiPt:window.pwned=5) [entity](&#106;avascript:window.pwned=6)',
  '[data link](data:text/html,<script>window.pwned=7</script>) [blob](blob:null/x) [file](file:///etc/passwd) [vb](vbscript:x)',
  '![remote picture](https://evil.example/pixel.png?leak=1) ![other](//evil.example/p.png)',
  '[safe link](https://example.org/page) <https://example.org/auto>',
  '<form action="https://evil.example/f"><input name="a" autofocus onfocus="window.pwned=8"></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/r"><base href="https://evil.example/">',
].join('\n\n');

async function nothingHappened(page: Page): Promise<void> {
  expect(await page.evaluate(() => (window as { pwned?: unknown }).pwned)).toBeUndefined();
  const inside = conversation(page);
  expect(await inside.locator('script, iframe:not([src^="blob:"]), object, embed, form[action], base, meta, style').count()).toBe(0);
  const attributes = await inside.evaluate((log) =>
    Array.from(log.querySelectorAll('*')).flatMap((element) => element.getAttributeNames().filter((name) => name.startsWith('on'))),
  );
  expect(attributes).toEqual([]);
  const links = await inside.evaluate((log) => Array.from(log.querySelectorAll('a[href]')).map((link) => (link as HTMLAnchorElement).protocol));
  expect(links.filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol))).toEqual([]);
  const pictures = await inside.evaluate((log) => Array.from(log.querySelectorAll('img')).map((image) => image.src));
  expect(pictures.filter((source) => !/^(?:blob:|data:image)/.test(source))).toEqual([]);
}

async function answers(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await messageField(page).fill('still there');
}

test('renders scripts, handlers, frames and odd links as inert text in answers, tool output and user messages', async () => {
  const { page, context } = await visit({
    files: (workspace) => writeFile(join(workspace, 'bad.md'), hostile),
    script: [
      { text: hostile.match(/[\s\S]{1,7}/g) ?? [], toolCalls: [{ name: 'read_file', args: { path: 'bad.md' } }] },
      { text: `${hostile}\n\nThat was all.` },
    ],
  });
  await say(page, hostile);
  await reads(page, 'That was all.');
  await isIdle(page);
  for (const card of await toolCards(page).all()) {
    const opener = card.locator('summary, button[aria-expanded="false"]').first();
    if ((await opener.count()) > 0) await opener.click();
  }
  await nothingHappened(page);
  const safe = conversation(page)
    .getByRole('link', { name: /safe link/ })
    .last();
  expect(await safe.getAttribute('rel')).toContain('noopener');
  expect(await safe.getAttribute('target')).toBe('_blank');
  for (const name of ['js link', 'upper', 'entity', 'data link']) {
    const target = conversation(page).getByText(name).last();
    if ((await target.count()) > 0) await target.click({ force: true, timeout: 2_000 }).catch(() => undefined);
  }
  expect(context.pages()).toHaveLength(1);
  await nothingHappened(page);
});

test('shows hostile chat, tool and file names as text', async () => {
  const name = '<img src=x onerror="window.pwned=1">';
  const { page, server } = await visit({
    script: [{ toolCalls: [{ name: '<b>tool</b>', args: `{"path":"${name.replaceAll('"', '\\"')}"}` }] }, { text: 'Well.' }],
  });
  await server.call('POST', '/api/chats', { title: name });
  await page.reload();
  await page.getByText(name).first().waitFor();
  await say(page, 'go');
  await reads(page, 'Well.');
  await nothingHappened(page);
});

test('stays responsive with a line of one megabyte and a table of 2,000 rows', async () => {
  const table = `| a | b | c |\n|---|---|---|\n${Array.from({ length: 2_000 }, (_, row) => `| ${row} | two | three |`).join('\n')}`;
  const { page } = await visit({
    files: (workspace) => writeFile(join(workspace, 'line.txt'), 'y'.repeat(1_000_000)),
    script: [
      { text: 'x'.repeat(1_000_000) },
      { text: `${table}\n\nEnd of the table.` },
      { toolCalls: [{ name: 'read_file', args: { path: 'line.txt' } }] },
      { text: 'End of the file.' },
    ],
  });
  await say(page, 'one line');
  await isIdle(page);
  await entries(page, 'assistant').first().waitFor();
  await answers(page);
  await say(page, 'a table');
  await reads(page, 'End of the table.');
  await isIdle(page);
  await answers(page);
  await say(page, 'a file');
  await reads(page, 'End of the file.');
  await answers(page);
});

test('keeps right-to-left text and emoji intact and makes bidirectional control characters visible', async () => {
  const text = 'שלום עולם مرحبا بالعالم 👩‍👩‍👧‍👦🏳️‍🌈 é Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘';
  const { page } = await visit({
    script: [{ text: [...text] }, { toolCalls: [{ name: 'run_command', args: { command: 'echo \u202Egpj.exe\u202C; rm x' } }] }],
  });
  await say(page, text);
  await isIdle(page);
  await entries(page, 'assistant').filter({ hasText: 'שלום עולם' }).waitFor();
  await entries(page, 'user').filter({ hasText: '👩‍👩‍👧‍👦' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await say(page, 'run it');
  const group = page.getByRole('group', { name: 'Approval of run_command' });
  await group.waitFor();
  expect(await group.innerText()).not.toContain('\u202E');
  expect(await group.innerText()).toMatch(/202E/i);
});
