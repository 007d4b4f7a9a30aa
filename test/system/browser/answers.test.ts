// Tests turns in the chat: a long answer, several tool calls, stopping, queueing and steering.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { button, conversation, entries, isIdle, lastUserText, messageField, reads, say, useBrowser } from '../../helpers/use-browser.ts';

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
