// Tests that every operation of the stock providers sends its request to the right place.
import Ajv from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { createHostedSite } from '../../../../builtins/connections/integrations/hosted-site.ts';
import { buildCall } from '../../../../builtins/connections/integrations/build-call.ts';
import { providers } from '../../../../builtins/connections/integrations/providers/all.ts';
import { createSignIns } from '../../../../builtins/connections/integrations/sign-ins.ts';

const operations = providers.flatMap((provider) => provider.tools.map((tool) => ({ provider, tool, name: `${provider.id} ${tool.name}` })));

test('defines nine providers with TLS origins and at least two tools each', () => {
  expect(providers).toHaveLength(9);
  for (const { origins, tools, id } of providers) {
    expect(
      origins.every((origin) => new URL(origin).protocol === 'https:'),
      id,
    ).toBe(true);
    expect(tools.length, id).toBeGreaterThanOrEqual(2);
  }
});

test.each(operations)('$name: the path parameters are required arguments, and the schema is valid', ({ provider, tool }) => {
  const { properties, required = [] } = tool.input as unknown as { properties: Record<string, unknown>; required?: string[] };
  const named = [...tool.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  expect(required).toEqual(expect.arrayContaining(named));
  expect(Object.keys({ ...properties, ...tool.fixed })).toEqual(expect.arrayContaining(Object.keys(tool.place ?? {})));
  expect(() => new Ajv({ strict: false }).compile(tool.input)).not.toThrow();
  expect(`${provider.id.replaceAll('-', '_')}_${tool.name}`).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
});

test('a mail argument cannot add a header line', () => {
  const tool = providers.flatMap(({ tools }) => tools).find(({ mail }) => mail !== undefined);
  const call = buildCall(tool as never, { to: 'a@b.c\r\nBcc: all@example.org', subject: 'Grüße\r\nX: y', body: 'Hallo' });
  const raw = Buffer.from((call.body as { raw: string }).raw, 'base64url').toString();
  const [head = '', text = ''] = raw.split('\r\n\r\n');
  expect(head.split('\r\n').map((line) => line.split(':')[0])).toEqual(['To', 'Subject', 'MIME-Version', 'Content-Type', 'Content-Transfer-Encoding']);
  expect(Buffer.from(text, 'base64').toString()).toBe('Hallo');
});

test('an argument cannot leave its path segment', () => {
  const tool = { name: 'x', description: 'x', method: 'GET', path: '/a/{id}/b', input: {} } as never;
  expect(buildCall(tool, { id: '..' }).path).toBe('/a/%2E%2E/b');
  expect(buildCall(tool, { id: '../../x?y#z' }).path).toBe('/a/..%2F..%2Fx%3Fy%23z/b');
});

test('a sign-in is valid once, for 10 minutes', () => {
  let now = 0;
  const signIns = createSignIns(() => now);
  const state = signIns.begin({ provider: 'github', mode: 'read_only' });
  expect(signIns.use(state)).toMatchObject({ provider: 'github', mode: 'read_only' });
  expect(signIns.use(state)).toBeUndefined();
  const late = signIns.begin({ provider: 'github', mode: 'read_only' });
  now = 600_001;
  expect(signIns.use(late)).toBeUndefined();
});

test('a sign-in cannot start on a server that does not listen', () => {
  const site = createHostedSite(
    {
      http: { address: () => undefined } as never,
      hubSite: { url: () => 'https://hub.example', controlPlane: () => 'https://hub.example' },
      controlPlane: undefined,
    },
    new AbortController().signal,
    (reason) => Object.assign(new Error(reason), { code: `INTEGRATIONS_ERR_${reason}` }),
  );
  expect(() => site.begin({ provider: 'github', mode: 'read_only' })).toThrow('NOT_SERVING');
});
