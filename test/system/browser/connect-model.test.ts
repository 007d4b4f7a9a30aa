// Tests connecting a model in the page: an API key, a local server, the model of a chat and of all chats, and a rejected key.
import { afterEach, expect, test } from 'vitest';
import { whileServerAway } from '../../helpers/browser.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { axeFaults } from './axe-faults.ts';
import { button, connection, conversation, isIdle, isReady, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const models: ScriptedModel[] = [];
afterEach(async () => {
  for (const model of models.splice(0)) await model.close();
});

async function localModel(): Promise<ScriptedModel> {
  const model = await startScriptedModel([{ text: 'An answer from here.' }]);
  models.push(model);
  model.listModels(() => ({ body: { data: [{ id: 'small-one' }, { id: 'tiny-one' }] } }));
  return model;
}

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

test('finds a local model on request only, uses it without a key, and keeps it after a restart', async () => {
  const local = await localModel();
  const { page, server, startAgain, expectFault } = await visit({
    script: 'demo',
    environment: { AGENT_LOCAL_MODEL_PORTS: new URL(local.url).port },
    context: phone,
  });
  await isIdle(page);
  await button(page, 'Connect a model').click();
  const section = page.getByRole('dialog', { name: 'Connect a model' });
  await section.getByText('Current model: the built-in demo model').waitFor();
  expect(local.listed).toBe(0);
  expect(await axeFaults(page)).toEqual([]);
  await section.getByRole('button', { name: /^Local model/ }).click();
  const form = section.getByRole('form', { name: /^Models of/ });
  await form.getByLabel('Model').selectOption('tiny-one');
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await button(form, 'Use this model').click();
  await section.getByText(/tiny-one of Port \d+ is the current model/).waitFor();
  await section.getByText(/Current model: tiny-one at 127/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('note').filter({ hasText: 'Demo model' }).waitFor({ state: 'detached' });
  await say(page, 'hello');
  await reads(page, 'An answer from here.');
  expect(local.requests.at(-1)?.body.model).toBe('tiny-one');
  expectFault(whileServerAway);
  await server.stop();
  const again = await startAgain();
  expect((await again.call('GET', '/api/provider')).body).toMatchObject({ model: 'tiny-one', baseURL: local.url });
});

test('connects a key by keyboard on the first screen, shows the line for .env, and never shows the key', async () => {
  const { page, model, expectFault } = await visit({ script: 'demo' });
  expectFault(/api\/provider\/key/);
  model.listModels(() => ({ body: { data: [{ id: 'scripted' }] } }));
  await isIdle(page);
  await button(page, 'Connect a model').click();
  const section = page.getByRole('dialog', { name: 'Connect a model' });
  await section.getByRole('button', { name: /^OpenAI/ }).focus();
  await page.keyboard.press('Enter');
  expect(await section.getByRole('link', { name: /Create a key at OpenAI/ }).getAttribute('href')).toBe('https://platform.openai.com/api-keys');
  await section.getByRole('button', { name: /^Custom address/ }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('sk-typed');
  await page.keyboard.press('Tab');
  await page.keyboard.type(model.url);
  await page.keyboard.press('Enter');
  await section.getByText('The key works and is in use').waitFor();
  await section.getByText('AGENT_API_KEY=<key>').waitFor();
  await button(section, 'Copy').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.content()).not.toContain('sk-typed');
});

test('sets the default model in the header with its price and context, and opens the connect dialog from the palette', async () => {
  const model = await localModel();
  const { page, server } = await visit({ script: 'demo', environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'sk-any' } });
  model.listModels(() => ({ body: { data: [{ id: 'big', context_length: 200_000, pricing: { input: 3, output: 15 } }, { id: 'scripted' }] } }));
  await isIdle(page);
  await page.getByRole('button', { name: /^Model: / }).click();
  const dialog = page.getByRole('dialog', { name: 'Model of this chat' });
  await dialog.getByText('200k tokens · $3.00 / $15.00').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByLabel('Default for all chats').check();
  await dialog.getByText('big').click();
  await page.getByRole('button', { name: 'Model: big' }).waitFor();
  expect((await server.call('GET', '/api/models')).body.current).toBe('big');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('connect');
  await page.getByText('Connect a model…').click();
  await page.getByRole('dialog', { name: 'Connect a model' }).getByText('Current model: big at 127').waitFor();
  expect(await axeFaults(page)).toEqual([]);
});

test('opens the connect dialog from the error of a rejected key', async () => {
  const { page } = await visit({ script: [{ status: 401 }] });
  await say(page, 'hello');
  await conversation(page).locator('[data-kind="error"]').waitFor();
  await connection(page).getByText('STANDBY').waitFor();
  await button(conversation(page), 'Connect another model').click();
  await page.getByRole('dialog', { name: 'Connect a model' }).getByText('Current model: scripted at 127').waitFor();
});

test("shows the model's shutdown notice until it is dismissed for the day or the model is switched", async () => {
  const model = await localModel();
  const { page, server } = await visit({ script: 'demo', environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'sk-any' } });
  const line = page.getByRole('note').filter({ hasText: /shuts? down on/ });
  const setModel = (name: string): Promise<unknown> => server.call('PUT', '/api/settings', { provider: { model: name } });
  await isReady(page);
  await setModel('claude-sonnet-4-5');
  await line.getByText('claude-sonnet-4-5').waitFor();
  await button(line, 'Dismiss for today').click();
  await line.waitFor({ state: 'detached' });
  await setModel('gpt-5');
  await line.getByText('gpt-5').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(line, 'Switch to gpt-5.6-sol').click();
  await line.waitFor({ state: 'detached' });
  expect((await server.call('GET', '/api/provider')).body).toMatchObject({ model: 'gpt-5.6-sol' });
  const read = page.waitForResponse(
    async (response) => response.url().endsWith('/api/provider') && (await response.json()).shutdown?.model === 'claude-sonnet-4-5',
  );
  await setModel('claude-sonnet-4-5');
  await read;
  await page.getByRole('button', { name: 'Model: claude-sonnet-4-5' }).waitFor();
  expect(await line.count()).toBe(0);
});
