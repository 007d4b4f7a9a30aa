// Tests that OpenAPI connections check the resolved address rather than the host name.
import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Harness } from '../../../helpers/harness.ts';
import { connect, documentWith, startApi, startOpenapi, type LocalApi } from './local-api.ts';

/** Fake DNS answers per host, returned in order; the last one repeats. */
const addresses = new Map<string, string[]>();
const systemLookup = dns.lookup;

function lookup(host: string, options: { all?: boolean }, answer: (fault: Error | null, found: LookupAddress[] | string, family?: number) => void): void {
  const known = addresses.get(host);
  if (!known) return systemLookup(host, options as { all: true }, answer as never);
  const address = (known.length > 1 ? known.shift() : known[0]) ?? '';
  const family = address.includes(':') ? 6 : 4;
  if (options.all === true) answer(null, [{ address, family }]);
  else answer(null, address, family);
}

/** Replaces `dns.lookup` for every importer. */
function lookUpBy(way: typeof dns.lookup): void {
  dns.lookup = way;
  syncBuiltinESMExports();
}

const pets = { '/pets': { get: { operationId: 'listPets' } } };
let harness: Harness;
let inside: LocalApi;
let outside: LocalApi;
let location = '';
beforeAll(async () => {
  lookUpBy(lookup as typeof dns.lookup);
  harness = await startOpenapi();
  inside = await startApi((_, response) => void response.writeHead(200).end(JSON.stringify(documentWith(pets, { servers: [{ url: '/' }] }))));
  outside = await startApi((_, response) => void response.writeHead(302, { location }).end());
});
afterAll(async () => {
  lookUpBy(systemLookup);
  await harness.close();
  await Promise.all([inside.close(), outside.close()]);
});
beforeEach(() => {
  addresses.clear();
  inside.asked.length = outside.asked.length = 0;
});
const portOf = ({ url }: LocalApi): string => new URL(url).port;

test('rejects a public document that redirects to a private address, whatever the host name', async () => {
  addresses.set('public.example.com', ['127.0.0.1', '93.184.216.34']);
  addresses.set('harmless.example.org', ['127.0.0.1']);
  location = `http://harmless.example.org:${portOf(inside)}/spec.json`;
  const reply = await connect(harness, { specUrl: `http://public.example.com:${portOf(outside)}/spec.json` });
  expect(reply.body.error).toMatchObject({ code: 'not_fetched', message: expect.stringContaining('private network') });
  expect([outside.asked.length, inside.asked.length]).toEqual([1, 0]);
});

test('follows a redirect of a private document to another private host', async () => {
  addresses.set('wiki.example.com', ['127.0.0.1']);
  addresses.set('files.example.com', ['127.0.0.1']);
  location = `http://files.example.com:${portOf(inside)}/spec.json`;
  const specUrl = `http://wiki.example.com:${portOf(outside)}/spec.json`;
  expect((await connect(harness, { specUrl, baseUrl: inside.url })).body).toMatchObject({ ok: true, toolCount: 1 });
});

test('rejects a server named only by the document when it resolves to a private address', async () => {
  addresses.set('api.example.com', ['10.1.2.3']);
  const spec = documentWith(pets, { servers: [{ url: 'https://api.example.com/v1' }] });
  expect((await connect(harness, { spec })).body.error).toMatchObject({ code: 'base_url_private' });
  expect((await connect(harness, { spec, baseUrl: 'https://api.example.com/v1' })).body).toMatchObject({ ok: true });
});

test('never connects to link-local addresses', async () => {
  addresses.set('metadata.example.com', ['169.254.169.254']);
  for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]', 'metadata.example.com'])
    expect((await connect(harness, { specUrl: `http://${host}/latest` })).body.error, host).toMatchObject({
      code: 'not_fetched',
      message: expect.stringContaining('private network'),
    });
});
