// Tests the meta tags that plugins add to the page: escaped, visible only to authenticated requests, and never blocking the page.
import { afterEach, expect, test } from 'vitest';
import type { PageMeta } from '../../builtins/clients/web-ui/contract.ts';
import { startHarness, type Harness } from '../helpers/harness.ts';

let harness: Harness;
afterEach(() => harness.close());

async function pageWith(metas: readonly PageMeta[], headers: Record<string, string> = {}): Promise<string> {
  const plugin = {
    manifest: { name: 'looks' },
    register: (registry: any): void => metas.forEach((meta) => registry.add('page_meta', meta)),
  };
  harness = await startHarness({ builtins: ['web-ui'], modules: { looks: plugin as never } });
  return (await fetch(`${harness.url}/`, { headers })).text();
}

test('escapes the content of a meta tag', async () => {
  const html = await pageWith([{ name: 'page-tokens', content: () => '{"a":"\\"><script>alert(1)</script>"}' }]);
  expect(html).toContain('<meta name="page-tokens" content="{&#34;a&#34;:&#34;\\&#34;&#62;&#60;script&#62;');
  expect(html).not.toContain('<script>alert');
});

test('omits meta tags for a cross-site request', async () => {
  expect(await pageWith([{ name: 'page-tokens', content: () => 'mine' }], { 'sec-fetch-site': 'cross-site' })).not.toContain('mine');
});

test('omits meta tags that fail, time out or are empty, and logs the plugin of the first two', async () => {
  const html = await pageWith([
    { name: 'broken', content: () => Promise.reject(new Error('no disk')) },
    { name: 'silent', content: () => new Promise(() => undefined) },
    { name: 'empty', content: () => undefined },
    { name: 'right', content: async () => 'here' },
  ]);
  expect(html).toContain('<meta name="right" content="here" />');
  expect(html).not.toMatch(/name="(broken|silent|empty)"/);
  const said = harness.logs.filter((line) => line.includes('is left out of the page'));
  expect(said.map((line) => /'(\w+)' of plugin 'looks'/.exec(line)?.[1]).toSorted()).toEqual(['broken', 'silent']);
});

test.each([
  ['needs a name in kebab-case', [{ name: 'Not Kebab', content: () => 'x' }]],
  [
    'already',
    [
      { name: 'twice', content: () => 'x' },
      { name: 'twice', content: () => 'y' },
    ],
  ],
])('rejects an invalid meta tag with the reason: %s', async (reason, metas) => {
  await pageWith(metas);
  expect(JSON.stringify((await harness.call('GET', '/api/plugins')).body)).toContain(reason);
});
