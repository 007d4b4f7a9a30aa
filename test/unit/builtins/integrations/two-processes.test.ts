// Tests processes that share a home folder and refresh tokens for single use.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOAuthServer, type OAuthServer } from '../../../helpers/oauth-server.ts';
import { openAccounts, type TokenPlace } from './refresh-kit.ts';
import { useFolderForAll } from '../../../helpers/use-opened.ts';

let oauth: OAuthServer;
const folder = useFolderForAll('refresh-');
beforeAll(async () => {
  oauth = await startOAuthServer();
  await build({
    ...{ entryPoints: [join(import.meta.dirname, 'refresh-main.ts')], outfile: join(folder, 'main.mjs'), bundle: true, platform: 'node', format: 'esm' },
    ...{ conditions: ['source'], logLevel: 'silent' },
    banner: { js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);" },
  });
});
afterAll(async () => {
  await oauth.close();
});

test('processes that refresh at each call use every refresh token once, and the account stays healthy', async () => {
  const place: TokenPlace = { tokenUrl: `${oauth.origin}/token`, clientId: oauth.client.id, clientSecret: oauth.client.secret };
  const home = await mkdtemp(join(folder, 'home-'));
  const [refreshes, families] = [oauth.refreshes, oauth.families.length];
  const here = openAccounts(home, place);
  // Shorter than the required remaining lifetime, so that every call refreshes.
  oauth.lifetime = 60;
  const back = new URL((await fetch(`${oauth.origin}/authorize?redirect_uri=${place.tokenUrl}`, { redirect: 'manual' })).headers.get('location') ?? '');
  const fields = { grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '', redirect_uri: place.tokenUrl };
  const body = new URLSearchParams({ ...fields, client_id: place.clientId, client_secret: place.clientSecret });
  const first = await (await fetch(place.tokenUrl, { method: 'POST', body })).json();
  await here.save('bookshop', {
    ...{ accountId: 'ada', mode: 'read_write', scopes: [], expiresAt: new Date().toISOString() },
    ...{ accessToken: first.access_token, refreshToken: first.refresh_token },
  });
  const rounds = 6;
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, [join(folder, 'main.mjs'), home, JSON.stringify(place), String(rounds)], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const gone = children.map((child) => once(child, 'close') as Promise<[number | null]>);
  for (let round = 0; round < rounds; round++) await here.token('bookshop');
  expect((await Promise.all(gone)).map(([code]) => code)).toEqual([0, 0, 0]);
  expect(oauth.refreshes - refreshes).toBe(4 * rounds);
  expect(oauth.families.slice(families).map(({ isEnded }) => isEnded)).toEqual([false]);
  expect(await here.of('bookshop')).toMatchObject([{ accountId: 'ada', isHealthy: true }]);
});
