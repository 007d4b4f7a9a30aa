// Tests the settings, plugins, usage and search pages.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createSearch } from '../../../builtins/clients/web-ui/app/pages/settings/settings-search.ts';

import { isReady, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('locks a setting defined by the environment', async () => {
  const { page, server } = await visit();
  await page.goto(`${server.url}/#/settings`);
  await heading(page, 'Settings').waitFor();
  const locked = (await server.call('GET', '/api/settings')).body.fields.find((field: any) => field.key === 'AGENT_MODEL');
  expect(locked.locked).toBe(true);
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('AGENT_MODEL');
  const field = page.getByLabel(locked.label, { exact: true }).first();
  await field.waitFor();
  expect(await field.evaluate((element: HTMLInputElement) => element.disabled || element.readOnly)).toBe(true);
  await page
    .getByText(/environment/i)
    .first()
    .waitFor();
});

test('shows a setting changed by another client without a reload', async () => {
  const { page, server } = await visit();
  await page.goto(`${server.url}/#/settings`);
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('AGENT_MAX_ROUNDS');
  const { fields } = (await server.call('GET', '/api/settings')).body;
  const field = page.getByLabel(fields.find((one: any) => one.key === 'AGENT_MAX_ROUNDS').label, { exact: true });
  await field.waitFor();
  await server.call('PUT', '/api/settings', { harness: { env: { AGENT_MAX_ROUNDS: '9' } } });
  await expect.poll(() => field.inputValue()).toBe('9');
});

const meant: Readonly<Record<string, string>> = {
  'change model': 'AGENT_MODEL',
  'which llm': 'AGENT_MODEL',
  'cheap model': 'AGENT_FAST_MODEL',
  ollama: 'AGENT_API_BASE_URL',
  'lm studio': 'AGENT_API_BASE_URL',
  'cost limit': 'AGENT_BUDGET_USD_PER_DAY',
  'spending cap': 'AGENT_BUDGET_USD_PER_DAY',
  money: 'AGENT_BUDGET_USD_PER_DAY',
  'max tokens': 'AGENT_MAX_COMPLETION_TOKENS',
  'context window': 'AGENT_CONTEXT_TOKENS',
  'rate limit': 'AGENT_RATE_LIMIT_MAX_RETRIES',
  429: 'AGENT_RATE_LIMIT_MAX_RETRIES',
  'max steps': 'AGENT_MAX_ROUNDS',
  iterations: 'AGENT_MAX_ROUNDS',
  'time limit': 'AGENT_SEND_TIMEOUT_MS',
  'auto approve': 'AGENT_YOLO',
  'stop asking me': 'AGENT_YOLO',
  permissions: 'AGENT_YOLO',
  docker: 'AGENT_SANDBOX',
  sandbox: 'AGENT_SANDBOX',
  'less noise': 'AGENT_UI_VERBOSITY',
  'extensions folder': 'AGENT_PLUGIN_DIR',
  'read aloud': 'AGENT_TTS_ENABLED',
  'text to speech': 'AGENT_TTS_ENABLED',
  'change voice': 'AGENT_TTS_VOICE',
  microphone: 'AGENT_TRANSCRIBE_ENABLED',
  dictation: 'AGENT_TRANSCRIBE_ENABLED',
  'turn off beep': 'AGENT_DICTATION_AUDIO_CUE',
  chrome: 'AGENT_BROWSER_PATH',
  backup: 'AGENT_CLOUD_SYNC_AUTO',
  hallucinations: 'AGENT_CRITIC',
  proactive: 'AGENT_HEARTBEAT',
  'do not disturb': 'AGENT_HEARTBEAT_QUIET_HOURS',
  'quiet hours': 'AGENT_HEARTBEAT_QUIET_HOURS',
  dreams: 'AGENT_AUTO_DREAM',
  'remember things about me': 'AGENT_MEMORY_AUTO_EXTRACT',
  obsidian: 'AGENT_VAULT_PATH',
  rag: 'AGENT_EMBED_MODEL',
  personality: 'AGENT_PERSONA_BOOTSTRAP',
  logs: 'AGENT_FAILURE_LOG',
  subagents: 'AGENT_TASKS_AT_ONCE',
  'parallel agents': 'AGENT_TASKS_AT_ONCE',
  google: 'AGENT_WEB_SEARCH_URL_TEMPLATE',
  'web search': 'AGENT_WEB_SEARCH_URL_TEMPLATE',
  localhost: 'AGENT_WEB_FETCH_ALLOWED_HOSTS',
  'self hosted': 'AGENT_CONTROL_PLANE_URL',
  AGENT_MAX_ROUNDS: 'AGENT_MAX_ROUNDS',
};

test('lists the intended setting among the first three search results', async () => {
  const { server } = await visit();
  const { fields } = (await server.call('GET', '/api/settings')).body;
  const search = createSearch(fields, []);
  const lost = Object.entries(meant).filter(
    ([query, key]) =>
      !search(query)
        .fields.slice(0, 3)
        .some((field) => field.key === key),
  );
  expect(
    lost.map(
      ([query, key]) =>
        `${query}: ${key}, not ${search(query)
          .fields.slice(0, 3)
          .map((field) => field.key)
          .join(' ')}`,
    ),
  ).toEqual([]);
});

test('lists often changed settings first, and finds the theme, the provider and other pages by search', async () => {
  const { page, server } = await visit();
  await page.goto(`${server.url}/#/settings`);
  await page.getByRole('heading', { name: 'Often changed' }).waitFor();
  expect(await page.getByRole('main').getByRole('heading', { level: 3 }).first().innerText()).toBe('Provider');
  await page.getByLabel('Daily budget (USD)').waitFor();
  const { fields } = (await server.call('GET', '/api/settings')).body;
  const first = fields.filter(({ rank }: any) => rank !== undefined).map(({ group }: any) => group);
  expect(first.filter((group: string) => ['vault', 'heartbeat', 'dream', 'web'].includes(group))).toEqual([]);
  const variable = page.getByText('AGENT_BUDGET_USD_PER_DAY', { exact: true });
  expect(await variable.isVisible()).toBe(false);
  await page.getByText('Default (Daily budget (USD))').click();
  await variable.waitFor();
  const search = page.getByRole('searchbox', { name: 'Search settings' });
  await search.fill('dark mode');
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await search.fill('api key');
  await page.getByRole('heading', { name: 'Provider' }).waitFor();
  await search.fill('mcp servers');
  await page.getByRole('navigation', { name: 'Pages found' }).getByRole('link', { name: 'Connections' }).click();
  await heading(page, 'Connections').waitFor();
});

test('lists every plugin, hides locked plugins and switches a plugin off and on', async () => {
  const { page, server } = await visit();
  await page.goto(`${server.url}/#/plugins`);
  await heading(page, 'Plugins').waitFor();
  const { plugins } = (await server.call('GET', '/api/plugins')).body;
  for (const { name } of plugins) await page.getByText(name, { exact: true }).first().waitFor({ state: 'attached' });
  const locked = page.locator('details').filter({ hasText: /\d+ paid features are locked/ });
  expect(await locked.locator('h3').count()).toBe(plugins.filter((row: any) => row.state === 'locked').length);
  expect(await locked.locator('h3').first().isVisible()).toBe(false);
  expect(await locked.locator('[role=switch]').count()).toBe(0);
  await page.getByRole('searchbox', { name: 'Search plugins' }).fill('rule-recall');
  const state = async (): Promise<string> => (await server.call('GET', '/api/plugins')).body.plugins.find((row: any) => row.name === 'rule-recall').state;
  const control = page.getByRole('switch', { name: 'Plugin Rule reminders' });
  await control.click();
  await expect.poll(state).toBe('disabled');
  await control.click();
  await expect.poll(state).toBe('active');

  // A toggle during a pending request shows immediately, and the last one wins.
  let [letGo, answered] = [(): void => undefined, 0];
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/plugins/rule-recall', async (route) => {
    await held;
    await route.continue();
  });
  page.on('response', (response) => void (response.request().method() === 'PUT' && answered++));
  const shown = (): Promise<string | null> => control.getAttribute('aria-checked');
  await control.click();
  expect(await shown()).toBe('false');
  await control.click();
  expect(await shown()).toBe('true');
  await control.click();
  letGo();
  await expect.poll(() => answered).toBe(2);
  await expect.poll(state).toBe('disabled');
  expect(await shown()).toBe('false');
  await control.click();
  await expect.poll(state).toBe('active');
  await expect.poll(shown).toBe('true');
});

test('shows the warnings of a running plugin', async () => {
  const { page, server } = await visit({ environment: { AGENT_MAX_ROUNDS: 'many' } });
  await page.goto(`${server.url}/#/plugins`);
  await page.getByRole('list', { name: 'Warnings of Agent' }).getByText('AGENT_MAX_ROUNDS').waitFor();
});

test('shows token usage and cost, and opens the chat of a search result', async () => {
  const { page, server } = await visit({ isFresh: true, script: [{ text: 'The narwhal has a tusk.', usage: { input: 1_234, output: 567, cost: 0.0123 } }] });
  await say(page, 'tell me about whales');
  await reads(page, 'The narwhal has a tusk.');
  await isReady(page);
  await page.goto(`${server.url}/#/usage?days=30`);
  await heading(page, 'Usage').waitFor();
  await expect.poll(() => page.url()).toBe(`${server.url}/#/view/usage?days=30`);
  await page.getByRole('row', { name: /^chat 100 % 1 1,234 0 567 \$0\.0123$/ }).waitFor();
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByRole('heading', { name: 'Tokens by hour (UTC)' }).waitFor();
  await page.getByRole('region', { name: 'By chat' }).getByRole('link').click();
  await reads(page, 'The narwhal has a tusk.');

  await page.goto(`${server.url}/#/search`);
  await heading(page, 'Search messages').waitFor();
  await page.getByRole('main').getByRole('searchbox').fill('narwhal');
  await page.keyboard.press('Enter');
  await page
    .getByRole('main')
    .getByRole('link')
    .filter({ hasText: /narwhal/ })
    .first()
    .click();
  await reads(page, 'The narwhal has a tusk.');
});
