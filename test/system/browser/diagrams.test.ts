// Tests diagrams in a reply: drawn in a sandboxed frame, shown as images, with their source available.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, conversation, isIdle, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const fence = (text: string): string => `\`\`\`mermaid\n${text}\n\`\`\``;
const picture = (page: Page) => conversation(page).locator('.diagram img');
const isDrawn = (page: Page, at = 0): Promise<boolean> =>
  picture(page)
    .nth(at)
    .evaluate((image) => (image as HTMLImageElement).complete && (image as HTMLImageElement).naturalWidth > 50);

test('draws diagrams and toggles their source', async () => {
  const text = [
    fence('flowchart LR\n  A[Read] -->|often| B{Think}\n  B --> C[Write]'),
    fence('sequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: Hi'),
    fence('pie title Pets\n  "Dogs" : 3\n  "Cats" : 2'),
    'That is it.',
  ].join('\n\n');
  const { page } = await visit({ script: [{ text }], context: { viewport: { width: 360, height: 740 } } });
  const outside: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(page.url()).origin) && !/^(data|blob):/.test(request.url())) outside.push(request.url());
  });
  await say(page, 'draw');
  await reads(page, 'That is it.');
  await isIdle(page);
  await expect.poll(() => picture(page).count(), { timeout: 20_000 }).toBe(3);
  for (const at of [0, 1, 2]) await expect.poll(() => isDrawn(page, at)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await axeFaults(page)).toEqual([]);
  await expect.poll(() => picture(page).count(), { timeout: 20_000 }).toBe(3);
  const source = button(conversation(page), 'Source').first();
  await source.focus();
  await page.keyboard.press('Enter');
  await conversation(page).getByText('A[Read] -->|often| B{Think}').waitFor();
  await button(conversation(page), 'Diagram').press('Enter');
  await expect.poll(() => isDrawn(page)).toBe(true);
  expect(outside).toEqual([]);
});

test('draws diagrams in a frame without origin, token or network, as plain images', async () => {
  const text = `${fence('flowchart LR\n  A["<img src=x onerror=alert(1)>"] --> B\n  click A "javascript:alert(1)"')}\n\nThat is it.`;
  const { page, server, expectFault } = await visit({ script: [{ text }] });
  // Errors caused by the attempts of this test.
  expectFault(/connect-src|script-src-attr|Content Security Policy|Fetch API/);
  await say(page, 'draw');
  await reads(page, 'That is it.');
  await expect.poll(() => picture(page).count(), { timeout: 20_000 }).toBe(1);
  const frame = page.frames().find((one) => one.url().includes('sealed-diagrams'));
  const seen = await frame?.evaluate(async (origin) => {
    const tries = [() => fetch(`${origin}/api/status`), () => Promise.resolve(parent.document.title), () => Promise.resolve(localStorage.length)];
    const ended = await Promise.all(tries.map(async (attempt) => attempt().then(() => 'works')).map((one) => one.catch(() => 'refused')));
    return { origin: self.origin, ended };
  }, server.url);
  expect(seen).toEqual({ origin: 'null', ended: ['refused', 'refused', 'refused'] });
  expect(await conversation(page).locator('svg:not([aria-hidden])').count()).toBe(0);
  const reply = await fetch(`${server.url}/sealed-diagrams.html`);
  expect(reply.headers.get('content-security-policy')).toContain("sandbox allow-scripts; default-src 'none'");
});

test('shows the source and the error of a broken diagram', async () => {
  const text = `${fence('flowchart LR\n  A[Read --> B')}\n\nThat is it.`;
  const { page } = await visit({ script: [{ text }] });
  await say(page, 'draw');
  await reads(page, 'That is it.');
  await conversation(page)
    .getByText(/^This diagram cannot be drawn: Parse error/)
    .waitFor({ timeout: 20_000 });
  await conversation(page).getByText('A[Read --> B').first().waitFor();
  expect(await axeFaults(page)).toEqual([]);
});
