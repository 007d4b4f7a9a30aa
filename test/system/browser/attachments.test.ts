// Tests attachments of a message: dropped, pasted, chosen and removed.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isIdle, lastUserText, messageField, reads, say, useBrowser, openComposerMenu } from '../../helpers/use-browser.ts';

const visit = useBrowser();

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

/** The pending attachment in the composer. */
const waiting = (page: Page, name: string) => page.getByRole('list', { name: 'Attachments' }).getByRole('button', { name: `Remove ${name}` });

async function give(page: Page, how: 'drop' | 'paste', name: string, type = 'image/png'): Promise<void> {
  await messageField(page).evaluate(
    (field, given) => {
      const bytes = Uint8Array.from(atob(given.png), (sign) => sign.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], given.name, { type: given.type }));
      const options = { bubbles: true, cancelable: true };
      if (given.how === 'paste') return void field.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }));
      for (const kind of ['dragenter', 'dragover', 'drop']) field.dispatchEvent(new DragEvent(kind, { ...options, dataTransfer: data }));
    },
    { how, name, type, png },
  );
}

test('sends a dropped and a pasted image with the message', async () => {
  const { page, model } = await visit({ script: [{ text: 'I see two pictures.' }] });
  await isIdle(page);
  await give(page, 'drop', 'dropped.png');
  await waiting(page, 'dropped.png').waitFor();
  await give(page, 'paste', 'pasted.png');
  await waiting(page, 'pasted.png').waitFor();
  // Another page unmounts the composer.
  await page.evaluate(() => (location.hash = '#/plugins'));
  await page.getByRole('heading', { name: 'Plugins' }).waitFor();
  await page.goBack();
  await waiting(page, 'pasted.png').waitFor();
  await say(page, 'what is this?');
  await reads(page, 'I see two pictures.');
  const { body } = await model.request(0);
  const content = body.messages.findLast((message: any) => message.role === 'user').content;
  expect(content.filter((part: any) => part.type === 'image_url')).toHaveLength(2);
  expect(lastUserText({ body })).toContain('what is this?');
  for (const name of ['dropped.png', 'pasted.png']) await page.getByRole('log', { name: 'Conversation' }).getByRole('img', { name }).waitFor();
});

test('removes an attachment before sending', async () => {
  const { page, model } = await visit({ script: [{ text: 'No picture.' }] });
  await isIdle(page);
  await give(page, 'drop', 'wrong.png');
  await waiting(page, 'wrong.png').click();
  await waiting(page, 'wrong.png').waitFor({ state: 'detached' });
  await say(page, 'just text');
  await reads(page, 'No picture.');
  expect(JSON.stringify((await model.request(0)).body)).not.toContain('image_url');
});

test('attaches a chosen file and rejects one that is too large before sending', async () => {
  const { page } = await visit({ script: [{ text: 'Read it.' }] });
  await isIdle(page);
  const choosing = page.waitForEvent('filechooser');
  await (await openComposerMenu(page)).getByRole('menuitem', { name: 'Add files or photos' }).click();
  const chooser = await choosing;
  await chooser.setFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('some notes') },
    { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024) },
  ]);
  await waiting(page, 'notes.txt').waitFor();
  await page.getByRole('alert').filter({ hasText: 'huge.png' }).first().waitFor();
  await say(page, 'read this');
  await reads(page, 'Read it.');
  await reads(page, 'notes.txt');
});
