// Tests turns in the chat: a long answer, several tool calls, stopping, queueing and steering.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { button, conversation, entries, isIdle, lastUserText, messageField, reads, say, toolCards, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

const code = Array.from({ length: 60 }, (_, index) => `export const value${index} = compute(${index}); // line ${index}`).join('\n');
const answer = `# Plan\n\nFirst a **table**:\n\n| name | value |\n|---|---|\n| one | 1 |\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThen the end of it.`;
const pieces = (text: string, size: number): string[] => text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];

test('streams a long answer and renders it as headings, a table and highlighted code', async () => {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  const text = pieces(answer, 24);
  const { page } = await visit({ script: [{ text, delayMs: 1, stallAfter: Math.floor(text.length / 2), until }] });
  await say(page, 'explain');
  const block = conversation(page).locator('pre code');
  await block.getByText('value10', { exact: false }).first().waitFor();
  expect(await conversation(page).innerText()).not.toContain('```');
  await button(page, 'Stop').waitFor();
  release();
  await reads(page, 'Then the end of it.');
  await isIdle(page);
  expect(await conversation(page).getByRole('heading', { name: 'Plan' }).count()).toBe(1);
  expect(await conversation(page).getByRole('cell', { name: 'one' }).count()).toBe(1);
  expect(await block.innerText()).toContain('line 59');
  await expect.poll(() => block.locator('span[class]').count()).toBeGreaterThan(60);
  expect(await entries(page, 'assistant').count()).toBe(1);
});

test('shows five tool calls of one reply as five cards', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const { page } = await visit({
    files: (workspace) => Promise.all(names.map((name) => writeFile(join(workspace, `${name}.txt`), `content of ${name}\n`))).then(() => undefined),
    script: [
      { toolCalls: names.map((name) => ({ name: 'read_file', args: { path: `${name}.txt` }, fragments: 3 })), delayMs: 2 },
      { text: 'All five were read.' },
    ],
  });
  await say(page, 'read them');
  await reads(page, 'All five were read.');
  await isIdle(page);
  expect(await entries(page, 'tool').count()).toBe(5);
  expect(await toolCards(page, 'ok').count()).toBe(5);
  for (const name of names) await conversation(page).getByText(`${name}.txt`).first().waitFor();
});

test('keeps the partial reply when a turn is stopped and answers the next message', async () => {
  const { page, model } = await visit({
    script: [{ text: ['This is the beginning of something', ' that never ends'], stallAfter: 1 }, { text: 'Fresh start.' }],
  });
  await say(page, 'go');
  await reads(page, 'This is the beginning of something');
  await button(page, 'Stop').click();
  await isIdle(page);
  expect(await (await model.request(0)).ended).toBe('gone');
  await reads(page, 'This is the beginning of something');
  await reads(page, /stopped/i);
  await say(page, 'again');
  await reads(page, 'Fresh start.');
});

test('queues a message while a turn is running and sends it afterwards', async () => {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  const { page } = await visit({ script: [{ text: ['Working', ' done.'], stallAfter: 1, until }, { text: 'And the second answer.' }] });
  await say(page, 'first');
  await reads(page, 'Working');
  await messageField(page).fill('second, later');
  await button(page, 'Queue').click();
  await reads(page, 'second, later');
  release();
  await reads(page, 'Working done.');
  await reads(page, 'And the second answer.');
  await isIdle(page);
  const texts = await entries(page, 'user').allInnerTexts();
  expect(texts.map((text) => /first|second, later/.exec(text)?.[0])).toEqual(['first', 'second, later']);
});

test('adds a steering message to the running turn', async () => {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  const { page, model } = await visit({
    files: (workspace) => writeFile(join(workspace, 'a.txt'), 'a\n'),
    script: [{ text: ['Reading'], toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }], stallAfter: 1, until }, { text: 'Now in French.' }],
  });
  await say(page, 'read a.txt');
  await reads(page, 'Reading');
  await messageField(page).fill('in French please');
  await button(page, 'Steer').click();
  await reads(page, 'in French please');
  release();
  await reads(page, 'Now in French.');
  await isIdle(page);
  expect(lastUserText(await model.request(1))).toContain('in French please');
  expect(model.requests).toHaveLength(2);
});
