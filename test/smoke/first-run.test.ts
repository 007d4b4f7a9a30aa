// Tests first use in the browser: a message to the demo model, the page's content policy, the sign-in and the first API key.
import { expect, test } from 'vitest';
import { button, chatList, connection, entries, isIdle, messageField, reads, say, useBrowser } from '../helpers/use-browser.ts';

const visit = useBrowser();

test('answers the first message with the demo model and lists the chat', async () => {
  const { page, server } = await visit({ script: 'demo', context: { serviceWorkers: 'allow' } });
  await isIdle(page);
  await say(page, 'write notes.md with a haiku');
  await reads(page, 'write notes.md with a haiku');
  await reads(page, /demo/i);
  await isIdle(page);
  expect(await entries(page, 'user').count()).toBe(1);
  expect(await entries(page, 'tool').count()).toBe(1);
  const { chats } = (await server.call('GET', '/api/chats')).body;
  expect(chats).toHaveLength(1);
  await chatList(page).getByRole('link', { name: chats[0].title }).waitFor();
  expect(await messageField(page).inputValue()).toBe('');
});

test('runs no inline script because of the content security policy', async () => {
  const { page, origin, expectFault } = await visit({ script: 'demo' });
  expectFault(/policy|Content Security Policy|Refused|violates/);
  const reply = await page.request.get(origin);
  const policy = reply.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-(?:inline|eval)/);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.wasHere = true';
    document.head.append(script);
  });
  expect(await page.evaluate(() => 'wasHere' in window)).toBe(false);
});

test('rejects a wrong token on a non-local host name and signs in with the right one', async () => {
  const { page, server, expectFault } = await visit({ isForeign: true, script: [{ text: 'Welcome in.' }] });
  expectFault(/401/);
  const field = page.getByLabel('Token');
  await field.fill('not-the-token-but-as-long-as-one-would-be');
  await button(page, 'Connect').click();
  await page.getByRole('alert').first().waitFor();
  expect(await page.content()).not.toContain(server.token);
  await page.getByLabel('Token').fill(server.token);
  await button(page, 'Connect').click();
  await isIdle(page);
  await say(page, 'hello');
  await reads(page, 'Welcome in.');
  await page.reload();
  await reads(page, 'Welcome in.');
});

test('shows the sign-in when the token is rotated while the page is open', async () => {
  const { page, server, expectFault } = await visit({ isForeign: true });
  expectFault(/401/);
  await page.getByLabel('Token').fill(server.token);
  await button(page, 'Connect').click();
  await isIdle(page);
  const { token } = (await server.call('POST', '/api/token/rotate', {})).body;
  expect(token).not.toBe(server.token);
  await page.getByLabel('Token').fill(token);
  await button(page, 'Connect').click();
  await isIdle(page);
  expect(await connection(page).count()).toBe(1);
});

test('tests and uses an API key entered in the settings, reports a failed one, and sets a model for one chat', async () => {
  const { page, server, model, expectFault } = await visit({ script: 'demo' });
  expectFault(/api\/provider\/key/);
  const { AGENT_API_BASE_URL: baseURL = '' } = model.environment;
  model.listModels(() => ({ body: { data: [{ id: 'scripted' }, { id: 'other-model' }] } }));
  await isIdle(page);
  await page.goto(`${server.url}/#/settings`);
  await button(page, 'Custom address any provider').click();
  const form = page.getByRole('form', { name: 'Key of the provider' });
  await form.getByLabel('Key').fill('sk-typed');
  await form.getByLabel('Base URL').fill('http://127.0.0.1:9/v1');
  await button(form, 'Use this key').click();
  await form.getByRole('alert').waitFor();
  await form.getByLabel('Base URL').fill(baseURL);
  await button(form, 'Use this key').click();
  await page.getByText('The key works and is in use').waitFor();
  expect(await page.content()).not.toContain('sk-typed');
  model.push({ text: ['1, ', '2'], toolCalls: [{ name: 'echo', args: { text: 'ok' } }] });
  await button(page, 'Test connection').click();
  await page.getByText('Yes: the model called the test tool.').waitFor();
  await page.goto(`${server.url}/#/chat`);
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByRole('dialog', { name: 'Model of this chat' }).getByText('other-model').last().click();
  await button(page, 'Model: other-model').click();
  await page.getByLabel('Reasoning effort').selectOption('High');
  await page.keyboard.press('Escape');
  await button(page, 'Model: other-model, Reasoning effort: High').waitFor();
  model.push({ text: 'A real answer.' });
  await say(page, 'hello');
  await reads(page, 'A real answer.');
  expect(model.requests.at(-1)?.body).toMatchObject({ model: 'other-model', reasoning_effort: 'high' });
});
