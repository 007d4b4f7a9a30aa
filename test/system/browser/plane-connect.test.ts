// Tests connecting an account in a browser: the control plane page, a provider on another site, the local service.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findBrowser, missingBrowser } from '../../helpers/browser.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { startOAuthServer, type OAuthServer } from '../../helpers/oauth-server.ts';
import { addMember, startPlane, type AddedMember, type Plane } from '../../helpers/plane.ts';
import { rowsModule } from '../control-plane/plane-connect/connect-kit.ts';
import { sharedBrowser } from '../../helpers/use-browser.ts';
import { axeFaults } from './axe-faults.ts';

const isMissing = findBrowser() === undefined && process.env['CI'] === undefined;
let browser: Browser;
let oauth: OAuthServer;
let plane: Plane;
let service: Harness;
let ada: AddedMember;

beforeAll(async () => {
  if (isMissing) return;
  [browser, oauth] = await Promise.all([sharedBrowser(), startOAuthServer()]);
  const authorizeUrl = `${oauth.origin.replace('127.0.0.1', 'localhost')}/authorize`;
  plane = await startPlane({ modules: { 'connect-rows': rowsModule([oauth.row('github-like', { authorizeUrl })]) } });
  const owner = await addMember(plane, { email: 'owner@example.org', role: 'owner' });
  ada = await addMember(plane, { email: 'ada@example.org', role: 'member' });
  await plane.call('PUT', '/api/connectors/github-like', { cookie: owner.cookie, body: { clientId: oauth.client.id, clientSecret: oauth.client.secret } });
  const rows = {
    manifest: { name: 'rows', requires: ['tools'] },
    register: (registry: any) =>
      registry.add('integration_provider', { id: 'github-like', title: 'Like', kind: 'code host', origins: [`${oauth.origin}/api`], tools: [] }),
  };
  service = await startHarness({ builtins: ['hub', 'integrations'], environment: { AGENT_HUB_SITE_URL: plane.url }, modules: { rows: rows as never } });
});
beforeEach((context) => {
  if (isMissing) context.skip(missingBrowser);
});
afterAll(async () => {
  await service?.close();
  await plane?.close();
  await oauth?.close();
});

async function openConnect(width = 1280) {
  const { connectUrl } = (await service.call('GET', '/api/integrations/github-like/begin?mode=read_only')).body;
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const [name = '', value = ''] = ada.cookie.split('=');
  await context.addCookies([{ name, value, url: plane.url, sameSite: 'Lax', httpOnly: true }]);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
  page.on('pageerror', (fault) => void faults.push(fault.message));
  await page.goto(connectUrl as string);
  return { context, page, faults };
}

test('connects an account by keyboard without a CSP violation or leftover query parameters', async () => {
  const { context, page, faults } = await openConnect();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByText('ada@example.org, Acme').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The account is connected.').waitFor();
  expect(new URL(page.url()).search).toBe('');
  expect(await axeFaults(page)).toEqual([]);
  const { providers } = (await service.call('GET', '/api/integrations')).body;
  expect(providers.find(({ id }: any) => id === 'github-like')).toMatchObject({ status: 'connected', accounts: [{ accountId: 'ada-1', mode: 'read_only' }] });
  expect(faults).toEqual([]);
  await context.close();
});

test('fits a phone in dark mode and reports an unreachable service', async () => {
  const { context, page } = await openConnect(360);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await axeFaults(page)).toEqual([]);
  await service.kernel.resolve('http').close();
  await page.getByRole('button').click();
  await page.getByText('cannot be reached').waitFor();
  await context.close();
});
