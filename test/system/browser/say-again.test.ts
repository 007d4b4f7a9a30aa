// Tests editing a message, regenerating an answer, copying, and withdrawing queued messages.
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, chatList, conversation, entries, isIdle, messageField, openActions, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const versions = (page: Parameters<typeof conversation>[0]) => conversation(page).getByRole('group', { name: 'Versions of this message' });

test('edits and resends a message by keyboard, switches between its versions and lists one chat', async () => {
  const { page, model, server } = await visit({
    script: [{ text: 'First answer.' }, { text: 'Second answer.' }, { text: 'Another answer.' }, { text: 'A third.' }],
  });
  await say(page, 'one');
  await reads(page, 'First answer.');
  await isIdle(page);
  await say(page, 'two');
  await reads(page, 'Second answer.');
  await isIdle(page);
  await entries(page, 'user').nth(1).hover();
  await entries(page, 'user').nth(1).getByRole('button', { name: 'Edit' }).focus();
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: 'Edited message' });
  expect(await field.inputValue()).toBe('two');
  expect(await axeFaults(page)).toEqual([]);
  await field.fill('two, but better');
  await page.reload();
  expect(await field.inputValue()).toBe('two, but better');
  await field.focus();
  await page.keyboard.press('Enter');
  await reads(page, 'Another answer.');
  await isIdle(page);
  expect(
    model.requests
      .at(-1)
      ?.body.messages.map(({ content }: any) => content)
      .join('\n'),
  ).not.toContain('Second answer.');
  await versions(page).getByText('2 of 2').waitFor();
  expect(await chatList(page).getByRole('link').count()).toBe(1);
  expect(await axeFaults(page)).toEqual([]);

  await openActions(entries(page, 'assistant').last());
  await button(conversation(page), 'Regenerate').last().click();
  await reads(page, 'A third.');
  await isIdle(page);
  await versions(page).getByText('3 of 3').waitFor();
  await button(versions(page), 'Previous version').click();
  await reads(page, 'Another answer.');
  await button(versions(page), 'Previous version').click();
  await reads(page, 'Second answer.');
  await versions(page).getByText('1 of 3').waitFor();
  await page.reload();
  await versions(page).getByText('1 of 3').waitFor();
  expect((await server.call('GET', '/api/chats')).body.chats).toHaveLength(3);
});

test('regenerates the answer to the first message with its image', async () => {
  const { page, model } = await visit({ script: [{ text: 'A dot.' }, { text: 'Still a dot.' }] });
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  await page.locator('input[type="file"]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png });
  await say(page, 'What is it?');
  await reads(page, 'A dot.');
  await isIdle(page);
  await openActions(entries(page, 'assistant'));
  await button(conversation(page), 'Regenerate').click();
  await reads(page, 'Still a dot.');
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('image/png');
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).not.toContain('A dot.');
});

test('copies an answer as Markdown and as plain text, and a user message as written', async () => {
  const text =
    '## Title\n\nSome **bold** and `code`, a [link](https://example.org):\n\n- one\n- two\n\n```js\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |';
  const { page, context } = await visit({ script: [{ text }] });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await say(page, 'go');
  await reads(page, 'Title');
  await isIdle(page);
  const answer = entries(page, 'assistant');
  const copied = async (name: string): Promise<string> => {
    await answer.locator('.message-actions').getByRole('button', { name, exact: true }).click();
    await answer.locator('.message-actions').getByText('Copied').waitFor();
    const read = await page.evaluate(() => navigator.clipboard.readText());
    await answer.locator('.message-actions').getByText('Copied').waitFor({ state: 'detached' });
    return read;
  };
  expect(await copied('Copy')).toBe(text);
  await openActions(answer);
  expect(await copied('Copy as text')).toBe('Title\n\nSome bold and code, a link (https://example.org):\n\n- one\n- two\n\nconst a = 1;\n\na\tb\n1\t2');
  await entries(page, 'user').hover();
  await button(entries(page, 'user'), 'Copy').click();
  await entries(page, 'user').getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('go');
});

test('withdraws or edits a queued message, and stops the turn with Escape', async () => {
  const { page, model } = await visit({ script: [{ text: ['Thinking', ' on'], stallAfter: 1 }, { text: 'The last word.' }] });
  await say(page, 'begin');
  await reads(page, 'Thinking');
  for (const text of ['never mind', 'to be changed', 'stays']) {
    await messageField(page).fill(text);
    await button(page, 'Queue').click();
    await entries(page, 'user').filter({ hasText: text }).getByText('Queued').waitFor();
  }
  await button(entries(page, 'user').filter({ hasText: 'never mind' }), 'Withdraw').click();
  await entries(page, 'user').filter({ hasText: 'never mind' }).getByText('Withdrawn').waitFor();
  await button(entries(page, 'user').filter({ hasText: 'to be changed' }), 'Edit').click();
  await expect.poll(() => messageField(page).inputValue()).toBe('to be changed');
  expect(await axeFaults(page)).toEqual([]);
  await messageField(page).focus();
  await page.keyboard.press('Escape');
  await isIdle(page);
  await expect.poll(() => messageField(page).inputValue()).toBe('stays\n\nto be changed');
  await messageField(page).fill('go on');
  await button(page, 'Send').click();
  await reads(page, 'The last word.');
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).not.toMatch(/never mind|to be changed/);
});

test('retries a refused turn on a phone with one tap', async () => {
  const { page } = await visit({
    script: [{ status: 401 }, { text: 'Now it works.' }],
    context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  });
  await say(page, 'hello');
  await button(conversation(page), 'Try again').tap();
  await reads(page, 'Now it works.');
  await isIdle(page);
  // An answer shows two visible actions: Copy and More actions.
  const answer = entries(page, 'assistant').last();
  expect(await answer.getByRole('button').evaluateAll((all) => all.filter((one) => one.checkVisibility()).length)).toBe(2);
  await button(answer, 'More actions').tap();
  await button(answer, 'Regenerate').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await axeFaults(page)).toEqual([]);
});

test('keeps the position of answer actions while further actions load', async () => {
  const { page } = await visit({ script: [{ text: 'An answer.' }] });
  let arrive = (): void => undefined;
  const until = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/assets/answer-actions*', async (route) => {
    await until;
    await route.continue();
  });
  await say(page, 'one');
  await reads(page, 'An answer.');
  await isIdle(page);
  const fork = button(conversation(page), 'Fork here');
  const copy = button(entries(page, 'assistant').first(), 'Copy');
  await openActions(entries(page, 'assistant').first());
  await fork.waitFor();
  const before = [await copy.boundingBox(), await fork.boundingBox()];
  arrive();
  await button(conversation(page), 'Regenerate').waitFor();
  expect([await copy.boundingBox(), await fork.boundingBox()]).toEqual(before);
});
