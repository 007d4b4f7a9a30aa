// Tests the HTTP view of the agent's browser: the list of open pages, and screenshots taken only on request.
import { tmpdir } from 'node:os';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findPanel } from '../../../builtins/tools/browser/panel.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { startScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../helpers/scripted-model.ts';
import { browsers, folders, refOf, sessionOf, useOwnFolder } from './bench.ts';
import { startSite } from './site.ts';
import { useAll } from '../../helpers/use-opened.ts';

let harness: Harness;
let looks = 0;
/** Makes the pages unresponsive to screenshots, like a hanging renderer. */
let isMute = false;
const scripts = new Map<string, ((result: string) => ScriptedReply)[]>();
const waiting: (() => void)[] = [];
const soon = { timeout: 30_000 };

useOwnFolder();
const site = useAll(() =>
  startSite({
    '/': '<title>Shop</title><h1>Shop</h1>',
    '/moving': `<title>Moving</title><script>
      let at = 0;
      const paint = () => { document.body.style.background = 'hsl(' + (at++ * 7 % 360) + ' 90% 50%)'; requestAnimationFrame(paint); };
      onload = paint;
    </script>`,
    '/busy': `<title>Busy</title><button onclick="document.title = 'Frozen'; for (;;);">Freeze</button>`,
    '/counting': '<title>0</title><script>let at = 0; addEventListener("resize", () => (document.title = String(++at)));</script>',
    '/popup': '<title>Opener</title><button onclick="window.open(\'/\')">Pop</button>',
  }),
);
const model = useAll(() => startScriptedModel(reply));
beforeAll(async () => {
  const launch = chromium.launchPersistentContext.bind(chromium);
  vi.spyOn(chromium, 'launchPersistentContext').mockImplementation(async (...given) => {
    const context = await launch(...given);
    const connect = context.newCDPSession.bind(context);
    context.newCDPSession = (page) => {
      looks++;
      return isMute ? new Promise(() => undefined) : connect(page);
    };
    return context;
  });
  harness = await startHarness({ environment: { ...model.environment, AGENT_BROWSER_ALLOWED_HOSTS: '127.0.0.1' } });
});
afterEach(async () => {
  isMute = false;
  for (const go of waiting.splice(0)) go();
  const { chats } = (await harness.call('GET', '/api/status')).body;
  for (const { chatId, busy } of chats) if (busy) await harness.call('POST', '/api/session/abort', { chatId });
  await expect.poll(() => [browsers(), folders()], soon).toEqual([[], []]);
});
afterAll(async () => {
  vi.restoreAllMocks();
  expect(await harness.close()).toEqual([]);
});

const lastResult = (request: ScriptedRequest): string =>
  JSON.stringify(request.body.messages.findLast((message: any) => message.role === 'tool')?.content ?? '')
    .replaceAll('\\n', '\n')
    .replaceAll('\\"', '"');

function reply(request: ScriptedRequest): ScriptedReply {
  const text = [...JSON.stringify(request.body.messages).matchAll(/run-\d+/g)].at(-1)?.[0] ?? '';
  return scripts.get(text)?.shift()?.(lastResult(request)) ?? { text: 'done' };
}

const opens = (path: string): ScriptedReply => ({ toolCalls: [{ name: 'browser_open', args: { url: site.url + path } }] });
const act = (sessionId: string, ...actions: object[]): ScriptedReply => ({ toolCalls: [{ name: 'browser_act', args: { sessionId, actions } }] });
const clicks = (name: string) => (result: string) => act(sessionOf(result), { op: 'click', ref: refOf(result, name) });
/** A model reply that stays pending until the test ends or releases it. */
const thinks = (): ScriptedReply => ({ text: 'done', until: new Promise<void>((resolve) => waiting.push(resolve)) });

/** Starts a turn with these steps. The last one may stay pending. */
async function begin(...steps: ((result: string) => ScriptedReply)[]): Promise<{ readonly chatId: string; readonly turnId: string }> {
  const { chatId } = (await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body;
  const text = `run-${scripts.size}`;
  scripts.set(text, steps);
  const { turnId } = (await harness.call('POST', '/api/message', { text: `${text} ${site.url}/`, chatId })).body;
  return { chatId, turnId };
}

async function allow(chatId: string): Promise<void> {
  const open = async (): Promise<any[]> => (await harness.call('GET', `/api/pending?chatId=${chatId}`)).body.approvals;
  await expect.poll(open, soon).toHaveLength(1);
  const [{ approvalId }] = await open();
  await harness.call('POST', '/api/approve', { approvalId, decision: 'approve' });
}

const list = async (chatId: string): Promise<any> => (await harness.call('GET', `/api/chats/${chatId}/browser`)).body;
const modelThinks = (): Promise<unknown> => expect.poll(() => waiting.length, soon).toBeGreaterThan(0);
const pictureAt = (chatId: string, tabId: string): string => `/api/chats/${chatId}/browser/${tabId}/picture`;

async function picture(chatId: string, tabId: string): Promise<{ readonly headers: Headers; readonly bytes: Buffer }> {
  const answer = await fetch(harness.url + pictureAt(chatId, tabId), { headers: { authorization: `Bearer ${harness.token}` } });
  expect(answer.status).toBe(200);
  return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

function sizeOf(jpeg: Buffer): [number, number] {
  for (let at = 2; at < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    if ([0xc0, 0xc1, 0xc2].includes(jpeg[at + 1] ?? 0)) return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
  }
  return [0, 0];
}

test('lists the page of a running turn with a small screenshot, and none after the turn', async () => {
  const { chatId, turnId } = await begin(() => opens('/'), thinks);
  await modelThinks();
  const { state, tabs } = await list(chatId);
  expect({ state, tabs }).toEqual({ state: 'open', tabs: [{ id: expect.stringMatching(/^tab_\d+$/), url: `${site.url}/`, title: 'Shop', isActive: true }] });
  const { headers, bytes } = await picture(chatId, tabs[0].id);
  expect([headers.get('content-type'), headers.get('cache-control'), headers.get('age')]).toEqual(['image/jpeg', 'no-store', '0']);
  expect(sizeOf(bytes)[0]).toBe(800);
  expect(bytes.length).toBeLessThan(50_000);

  waiting.shift()?.();
  await harness.kernel.resolve('turns').ended(turnId);
  await expect.poll(() => list(chatId), soon).toEqual({ state: 'closed', tabs: [], note: expect.stringContaining('no browser now') });
  expect(await harness.call('GET', pictureAt(chatId, tabs[0].id))).toMatchObject({ status: 404, body: { error: { code: 'tab_not_found' } } });
});

test('takes no screenshot without a request', async () => {
  const before = looks;
  const { chatId } = await begin(
    () => opens('/'),
    (result) => act(sessionOf(result), { op: 'read' }, { op: 'scroll' }, { op: 'wait', ms: 500 }, { op: 'screenshot' }),
    thinks,
  );
  await modelThinks();
  expect(looks - before).toBe(0);
  await list(chatId);
  expect(looks - before).toBe(1);
});

test('shares one screenshot between concurrent viewers and limits the rate', async () => {
  const { chatId } = await begin(() => opens('/moving'), thinks);
  await modelThinks();
  const id = (await list(chatId)).tabs[0].id;
  const before = looks;
  const shared = await Promise.all(Array.from({ length: 8 }, () => picture(chatId, id)));
  expect(looks - before).toBe(1);
  expect(new Set(shared.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);

  const first = shared[0]?.bytes as Buffer;
  let pictures = 1;
  const started = performance.now();
  for (let last = first; pictures < 4;) {
    const { bytes } = await picture(chatId, id);
    if (!bytes.equals(last)) pictures++;
    last = bytes;
  }
  // At most one screenshot per 500 ms.
  expect(looks - before).toBeLessThanOrEqual(2 + (performance.now() - started) / 500);
});

test('lists a blocked page with its last rendered screenshot', async () => {
  const { chatId } = await begin(() => opens('/busy'), clicks('Freeze'), thinks);
  await allow(chatId);
  await expect.poll(async () => (await list(chatId)).tabs[0]?.title, soon).toBe('Frozen');
  const { id } = (await list(chatId)).tabs[0];
  expect(sizeOf((await picture(chatId, id)).bytes)[0]).toBe(800);
  expect((await list(chatId)).tabs[0]).toMatchObject({ id, title: 'Frozen' });
});

test('returns an error for an unresponsive page, or its last screenshot with its age', async () => {
  const { chatId } = await begin(() => opens('/'), thinks);
  await modelThinks();
  isMute = true;
  const { id, title } = (await list(chatId)).tabs[0];
  expect(title).toBe('');
  const before = looks;
  const answers = await Promise.all([1, 2].map(() => harness.call('GET', pictureAt(chatId, id))));
  for (const { status, body } of answers) expect([status, body.error.code]).toEqual([503, 'page_silent']);
  expect(looks - before).toBe(1);

  isMute = false;
  await expect.poll(async () => (await harness.call('GET', pictureAt(chatId, id))).status).toBe(200);
  const { bytes } = await picture(chatId, id);
  await expect.poll(async () => (await list(chatId)).tabs[0].title).toBe('Shop');
  isMute = true;
  await expect.poll(async () => Number((await picture(chatId, id)).headers.get('age'))).toBeGreaterThan(0);
  expect((await picture(chatId, id)).bytes).toEqual(bytes);
  expect((await list(chatId)).tabs[0].title).toBe('Shop');
});

test('triggers no resize event on a watched page', async () => {
  const { chatId } = await begin(
    () => opens('/counting'),
    (result) => act(sessionOf(result), { op: 'wait', ms: 1_500 }),
    thinks,
  );
  await expect.poll(async () => (await list(chatId)).tabs[0]?.title, soon).toBe('0');
  const { id } = (await list(chatId)).tabs[0];
  while (waiting.length === 0) await picture(chatId, id);
  expect(lastResult(model.requests.at(-1) as ScriptedRequest)).toContain('title: 0');
  expect((await list(chatId)).tabs[0].title).toBe('0');
});

test("marks the agent's tab as active, not a tab opened by the page", async () => {
  const { chatId } = await begin(() => opens('/popup'), clicks('Pop'), thinks);
  await allow(chatId);
  await modelThinks();
  await expect
    .poll(async () => (await list(chatId)).tabs.map(({ title, isActive }: any) => [title, isActive]), soon)
    .toEqual([
      ['Opener', true],
      ['Shop', false],
    ]);
});

test('returns a note for a chat without a browser and 404 for a tab of another chat', async () => {
  const { chatId } = await begin(() => opens('/'), thinks);
  await modelThinks();
  const { id } = (await list(chatId)).tabs[0];
  const { chatId: other } = (await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body;
  expect(await list(other)).toEqual({ state: 'closed', tabs: [], note: expect.any(String) });
  for (const path of [pictureAt(other, id), pictureAt(chatId, 'tab_999'), pictureAt(chatId, '..%2F..')])
    expect((await harness.call('GET', path)).body).toMatchObject({ error: { code: 'tab_not_found', message: expect.stringContaining('no open page') } });
});

test('returns 401 for list and screenshot without a token', async () => {
  for (const path of ['/api/chats/chat_1/browser', pictureAt('chat_1', 'tab_1')]) expect((await fetch(harness.url + path)).status).toBe(401);
});

test('lists the panel with its script', async () => {
  const { panels } = (await harness.call('GET', '/api/ui/panels')).body;
  const panel = panels.find((one: any) => one.plugin === 'browser');
  expect(panel).toMatchObject({ id: 'browser', title: 'Browser', slot: 'panel' });
  expect(await (await fetch(harness.url + panel.url)).text()).toContain('export function mount');
});

test('finds no panel script in a package without one', () => {
  expect(findPanel(tmpdir())).toBeUndefined();
});
