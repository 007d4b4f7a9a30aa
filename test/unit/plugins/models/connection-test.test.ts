// Tests `POST /api/provider/test`: one request and the reported findings.
import { expect, test } from 'vitest';
import { startScriptedModel, type ScriptedReply } from '../../../helpers/scripted-model.ts';
import { openModels, type OpenedModels } from './open-models.ts';

async function open(
  script: readonly ScriptedReply[],
  environment: Record<string, string | undefined> = {},
): Promise<OpenedModels & { test(body?: object): Promise<any> }> {
  const models = await openModels([...script], { environment });
  const route = models.routes.find(({ key }) => key === 'POST /api/provider/test');
  return { ...models, test: async (body = {}) => route?.handle({ body, signal: new AbortController().signal } as never) };
}
const textOf = ({ lines }: any, title: string): string | undefined => lines.find((one: any) => one.title === title)?.text;
const echoCall = [{ name: 'echo', args: { text: 'ok' } }];
const noTools = { status: 400, body: { error: { message: 'This model does not support tools' } }, when: ({ body }: any) => body.tools !== undefined };
const noPictures = {
  ...{ status: 400, body: { error: { message: 'image_url is not supported by this model' } } },
  when: ({ body }: any) => JSON.stringify(body).includes('data:image/png'),
};

test.each<[name: string, script: readonly ScriptedReply[], expected: object, requests: number]>([
  [
    'a model that streams, reasons and calls tools',
    [{ reasoning: 'Hm.', text: ['1, ', '2'], toolCalls: echoCall }],
    { streaming: true, tools: 'called', reasoning: true },
    1,
  ],
  ['a model with image input', [{ toolCalls: [{ name: 'echo', args: { text: 'Red.' } }] }], { tools: 'called', pictures: 'seen' }, 1],
  ['a server that rejects images', [noPictures, { text: '1, 2' }], { tools: 'not_called', pictures: 'refused' }, 2],
  ['a server without streaming', [{ text: '1, 2', asJson: true }], { streaming: false, tools: 'not_called', reasoning: false }, 1],
  ['a server that rejects tools', [noTools, { text: ['1, ', '2'] }], { streaming: true, tools: 'refused' }, 2],
])('reports %s', async (_, script, expected, requests) => {
  const { test: run, model, events } = await open(script);
  const result = await run();
  expect(result).toMatchObject({ ok: true, reachable: true, baseURL: model.url, model: 'scripted', pictures: 'accepted', ...expected });
  expect(textOf(result, 'Tools')).toBe(
    {
      called: 'Yes: the model called the test tool.',
      not_called: 'Not used: the model answered without calling the test tool.',
      refused: 'No: the server rejects tools, so the agent works without files and commands.',
    }[result.tools as 'called'],
  );
  expect(textOf(result, 'Response time')).toMatch(/^\d+ ms$/);
  expect(model.requests).toHaveLength(requests);
  expect(model.requests[0]?.body).toMatchObject({ model: 'scripted', stream: true, tools: [{ function: { name: 'echo' } }] });
  expect(events).toEqual([]);
});

test.each<[status: number, code: string]>([
  [401, 'provider_auth'],
  [404, 'provider_refused'],
  [429, 'rate_limited'],
  [503, 'provider_unavailable'],
])('status %i is reported with its code and not retried', async (status, code) => {
  const { test: run, model } = await open([{ status, always: true }]);
  const result = await run();
  expect(result).toMatchObject({ ok: false, reachable: true, error: { code, message: expect.any(String) } });
  expect(textOf(result, 'Error')).toBe(`${result.error.message} (${code})`);
  expect(model.requests).toHaveLength(1);
});

test('an unresponsive server is reported as unreachable', async () => {
  const { test: run } = await open([]);
  const result = await run({ baseURL: 'http://127.0.0.1:9/v1' });
  expect(result).toMatchObject({ ok: false, reachable: false, error: { code: 'provider_unavailable' } });
  expect(textOf(result, 'Reachable')).toBe('No');
});

test('another endpoint is tested with its own key and without side effects', async () => {
  const { test: run, model, models } = await open([{ text: 'ok' }]);
  const other = await startScriptedModel([{ text: 'ok', always: true }]);
  const before = models.route();
  expect(await run({ baseURL: `${other.url}/`, model: 'big', key: 'typed-key' })).toMatchObject({ ok: true, baseURL: other.url, model: 'big' });
  expect(other.requests[0]).toMatchObject({ headers: { authorization: 'Bearer typed-key' }, body: { model: 'big' } });
  expect(await run({ baseURL: other.url })).toMatchObject({ ok: true, baseURL: other.url, model: 'scripted' });
  expect(other.requests[1]?.headers).not.toHaveProperty('authorization');
  expect(await run({ model: 'big' })).toMatchObject({ ok: true, baseURL: model.url, model: 'big' });
  expect(models.route()).toEqual(before);
});

test('the demo is reported as no provider, and typed values are normalized or rejected', async () => {
  const { test: run, model } = await open([{ text: 'ok', always: true }], { AGENT_API_BASE_URL: undefined, AGENT_API_KEY: undefined });
  const demo = await run();
  expect(demo).toMatchObject({ ok: false, error: { code: 'no_provider' } });
  expect(demo.lines.map(({ title }: any) => title)).not.toContain('Address');
  expect(await run({ baseURL: ` ${model.url.replace('http://', '')}/chat/completions`, key: 'Bearer k' })).toMatchObject({ ok: true, baseURL: model.url });
  await expect(run({ key: 'a b' })).rejects.toMatchObject({ code: 'MODELS_ERR_TYPED_INVALID' });
});
