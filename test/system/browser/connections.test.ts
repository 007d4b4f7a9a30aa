// Tests the connections page: trust for workspace content, MCP servers, OpenAPI documents and accounts.
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, isIdle, isReady, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const memoryServer = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js');

test('reports instruction files of a folder in the chat, and trusts and withdraws them on the page', async () => {
  const { page, server } = await visit({ files: (workspace) => writeFile(join(workspace, 'AGENTS.md'), 'Always answer in verse.\n') });
  await isIdle(page);
  // The steps of a first run, with one unused chat, replace the notice.
  await button(page, 'Trust folder').waitFor();
  await server.call('POST', '/api/chats', { activate: false });
  await page.getByText('This folder has 1 file with instructions. Not used until you trust it.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor();
  await page.getByRole('group', { name: 'Content: 1 file with instructions' }).getByText('AGENTS.md').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Trust: 1 file with instructions').click();
  await button(page, 'Withdraw: 1 file with instructions').waitFor();
  const trusted = async (): Promise<unknown> => (await server.call('GET', '/api/workspace/trust')).body.subjects[0].isTrusted;
  expect(await trusted()).toBe(true);
  await page.goBack();
  await isIdle(page);
  expect(await page.getByText('Not used until you trust it').count()).toBe(0);
  await page.goForward();
  await button(page, 'Withdraw: 1 file with instructions').click();
  await button(page, 'Trust: 1 file with instructions').waitFor();
  expect(await trusted()).toBe(false);
});

test('rejects trust for content that changed after it was shown', async () => {
  const { page, server, workspace, expectFault } = await visit({ files: (workspace) => writeFile(join(workspace, 'AGENTS.md'), 'One.\n') });
  expectFault(/409/);
  await isReady(page);
  await page.goto(`${server.url}/#/connections`);
  const trust = button(page, 'Trust: 1 file with instructions');
  await trust.waitFor();
  await writeFile(join(workspace, 'AGENTS.md'), 'Another text.\n');
  await trust.click();
  await page.getByText(/has changed\. Review it again/).waitFor();
  await page.getByText('AGENTS.md (14 bytes)').waitFor();
  expect((await server.call('GET', '/api/workspace/trust')).body.subjects).toMatchObject([
    { name: 'instructions', isTrusted: false },
    { name: 'files', isTrusted: false, isListedOnly: true },
  ]);
});

test('keeps the trust notice dismissed until the folder content changes', async () => {
  const { page, server, workspace } = await visit({
    files: (workspace) => writeFile(join(workspace, 'AGENTS.md'), 'One.\n'),
    script: [{ text: 'Yes.' }],
  });
  // After the page has created its chat: the steps of a first run, with one unused chat, replace the notice.
  await button(page, 'Trust folder').waitFor();
  await server.call('POST', '/api/chats', { activate: false });
  const line = page.getByText('Not used until you trust it');
  await line.waitFor();
  await button(page, 'Dismiss this notice').click();
  await line.waitFor({ state: 'detached' });
  const answered = () => page.waitForResponse((reply) => reply.url().includes('/api/workspace/trust'));
  await Promise.all([answered(), page.reload()]);
  await isIdle(page);
  expect(await line.count()).toBe(0);
  await writeFile(join(workspace, 'AGENTS.md'), 'Something else.\n');
  await say(page, 'is there something?');
  await reads(page, 'Yes.');
  await line.waitFor();
});

test('adds an MCP server by its command, lists its tools, and removes it after confirmation', async () => {
  const { page, server, expectFault } = await visit();
  expectFault(/422/);
  await isReady(page);
  await page.goto(`${server.url}/#/connections`);
  await button(page, 'Add MCP server').click();
  const dialog = page.getByRole('dialog', { name: 'Add an MCP server' });
  await dialog.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByLabel('Name').fill('graph');
  await dialog.getByLabel('Command', { exact: true }).fill(process.execPath);
  await dialog.getByLabel('Arguments').fill('/nowhere/server.js');
  await button(dialog, 'Connect').click();
  await dialog
    .getByRole('alert')
    .getByText(/cannot be connected/)
    .waitFor();
  await dialog.getByLabel('Arguments').fill(memoryServer);
  await button(dialog, 'Connect').click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('graph is connected.').waitFor();
  const tools = (await server.call('GET', '/api/tools')).body.tools.filter((tool: any) => tool.name.startsWith('graph'));
  expect(tools.length).toBeGreaterThan(3);
  const row = page.getByRole('listitem').filter({ hasText: 'graph' });
  await row.getByText(`${tools.length} tools`).waitFor();

  await button(page, 'Remove graph').click();
  await button(page.getByRole('alertdialog'), 'Keep').click();
  await row.waitFor();
  await button(page, 'Remove graph').click();
  await button(page.getByRole('alertdialog'), 'Remove').click();
  await row.waitFor({ state: 'detached' });
  expect((await server.call('GET', '/api/integrations')).body.connections).toEqual([]);
});

test('turns a pasted OpenAPI document into tools and never shows its secret', async () => {
  const { page, server } = await visit();
  await isReady(page);
  await page.goto(`${server.url}/#/connections`);
  await button(page, 'Add OpenAPI document').click();
  const dialog = page.getByRole('dialog', { name: 'Add an OpenAPI document' });
  await dialog.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByLabel('Name').fill('weather');
  await dialog.getByLabel('Pasted').check();
  const operation = { operationId: 'getNow', summary: 'The weather now.', responses: { 200: { description: 'It.' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Weather', version: '1' },
    servers: [{ url: 'https://weather.example' }],
    paths: { '/now': { get: operation } },
  };
  await dialog.getByLabel('Document', { exact: true }).fill(JSON.stringify(document));
  await dialog.getByLabel('Credentials').selectOption('bearer');
  const secret = dialog.getByLabel('Token');
  expect(await secret.getAttribute('type')).toBe('password');
  await secret.fill('very-secret');
  await button(dialog, 'Connect').click();
  await page.getByText('weather is connected.').waitFor();
  expect(await page.content()).not.toContain('very-secret');
  await page.getByRole('listitem').filter({ hasText: 'weather' }).getByText('1 tool', { exact: true }).waitFor();
  await server.call('DELETE', '/api/integrations/openapi/weather');
  await page.getByRole('listitem').filter({ hasText: 'weather' }).waitFor({ state: 'detached' });
});

test('opens the sign-in of an account in another tab', async () => {
  const { page, server, context, expectFault } = await visit({ environment: { AGENT_HUB_SITE_URL: 'http://127.0.0.1:9' } });
  expectFault(/^outside: GET http:\/\/127\.0\.0\.1:9\/connect\/github/);
  await context.route(/127\.0\.0\.1:9\//, (route) => route.fulfill({ body: 'Sign in here.' }));
  await isReady(page);
  await page.goto(`${server.url}/#/connections`);
  await page.getByLabel('Connect for reading only').check();
  const opened = context.waitForEvent('page');
  await button(page, 'Connect GitHub').click();
  const tab = await opened;
  await tab.waitForURL(/\/connect\/github\?.*mode=read_only/);
  await tab.close();
  await page.getByText('Waiting for the sign-in at GitHub').waitFor();
});

test('shows an account with an unreachable site as not working', async () => {
  const { page, server, context } = await visit();
  let reachable = false;
  await context.route('**/api/integrations', (route) => {
    const accounts = [{ accountId: '7', name: 'Ada', mode: 'read_write', scopes: [], healthy: true, reachable }];
    const github = { id: 'github', title: 'GitHub', kind: 'code host', status: reachable ? 'connected' : 'unreachable', accounts };
    return route.fulfill({ json: { providers: [github], connections: [] } });
  });
  await isReady(page);
  await page.goto(`${server.url}/#/connections`);
  const row = page.getByRole('listitem').filter({ hasText: 'GitHub' });
  await row.getByText('Cannot be reached', { exact: true }).waitFor();
  expect(await row.getByText('Works', { exact: true }).count()).toBe(0);
  reachable = true;
  await page.reload();
  await row.getByText('Works', { exact: true }).waitFor();
});
