// What plugins put into the page for its first drawing: as text that stays text, for those who are let in, and never in the way of the page.
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

test('its text stands in a meta tag, whatever it is', async () => {
  const html = await pageWith([{ name: 'page-tokens', content: () => '{"a":"\\"><script>alert(1)</script>"}' }]);
  expect(html).toContain('<meta name="page-tokens" content="{&#34;a&#34;:&#34;\\&#34;&#62;&#60;script&#62;');
  expect(html).not.toContain('<script>alert');
});

test('who is not let in gets nothing of it', async () => {
  expect(await pageWith([{ name: 'page-tokens', content: () => 'mine' }], { 'sec-fetch-site': 'cross-site' })).not.toContain('mine');
});

test('one that fails, is silent, or has nothing to say is left out, and the log names its plugin', async () => {
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
])('what cannot stand there is refused with the reason: %s', async (reason, metas) => {
  await pageWith(metas);
  expect(JSON.stringify((await harness.call('GET', '/api/plugins')).body)).toContain(reason);
});
