import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPlaces } from '#lib/chromium';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startGate } from '../../../builtins/tools/browser/gate.ts';
import { launch } from '../../../builtins/tools/browser/launch.ts';
import { writeRecord } from '../../../builtins/tools/browser/browser-records.ts';
import { findBrowser } from '../../helpers/browser.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { startScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../helpers/scripted-model.ts';
import { browsers, folders, refOf, sessionOf, useOwnFolder } from './bench.ts';
import { startSite } from './site.ts';
import { useAll } from '../../helpers/use-opened.ts';

let harness: Harness;
const scripts = new Map<string, ((result: string) => ScriptedReply)[]>();
useOwnFolder();
const site = useAll(() =>
  startSite({
    '/': '<title>Shop</title><label>Name <input></label><button onclick="document.title = \'bought\'">Buy now</button>',
    '/visit': (request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': `chat=${request.url?.split('?')[1]}` })
        .end(`<title>cookie ${request.headers.cookie ?? 'none'}</title>`),
  }),
);
const model = useAll(() => startScriptedModel(reply));
beforeAll(async () => {
  harness = await startHarness({ environment: { ...model.environment, AGENT_BROWSER_ALLOWED_HOSTS: '127.0.0.1' } });
});
afterEach(async () => {
  const { chats } = (await harness.call('GET', '/api/status')).body;
  for (const { chatId, busy } of chats) if (busy) await harness.call('POST', '/api/session/abort', { chatId });
});
afterAll(async () => {
  expect(await harness.close()).toEqual([]);
  expect([browsers(), folders()]).toEqual([[], []]);
});

const soon = { timeout: 30_000 };
const opens = (path = '/'): ScriptedReply => ({ toolCalls: [{ name: 'browser_open', args: { url: site.url + path } }] });
const lastResult = (request: ScriptedRequest): string =>
  JSON.stringify(request.body.messages.findLast((message: any) => message.role === 'tool')?.content ?? '')
    .replaceAll('\\n', '\n')
    .replaceAll('\\"', '"');
const newChat = async (): Promise<string> => (await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body.chatId;
const ended = (turnId: string) => harness.kernel.resolve('turns').ended(turnId);
const pending = async (chatId: string): Promise<any[]> => (await harness.call('GET', `/api/pending?chatId=${chatId}`)).body.approvals;
const isGone = async (): Promise<void> => void (await expect.poll(() => [browsers(), folders()]).toEqual([[], []]));

async function run(chatId: string, ...steps: ((result: string) => ScriptedReply)[]): Promise<string> {
  const text = `run-${scripts.size}`;
  scripts.set(text, steps);
  // A URL that the user did not mention would need an approval after a page was read.
  return (await harness.call('POST', '/api/message', { text: `${text} ${site.url}/visit?abort`, chatId })).body.turnId;
}

function reply(request: ScriptedRequest): ScriptedReply {
  const text = [...JSON.stringify(request.body.messages).matchAll(/run-\d+/g)].at(-1)?.[0] ?? '';
  return scripts.get(text)?.shift()?.(lastResult(request)) ?? { text: 'done' };
}
const acts =
  (actions: (result: string) => object[]) =>
  (result: string): ScriptedReply => ({
    toolCalls: [{ name: 'browser_act', args: { sessionId: sessionOf(result), actions: actions(result) } }],
  });

test('requires an approval for acting but not for reading, and ends the browser with its turn', async () => {
  const chatId = await newChat();
  const turnId = await run(
    chatId,
    () => opens(),
    acts(() => [{ op: 'read' }, { op: 'screenshot' }, { op: 'snapshot' }]),
    acts((result) => [
      { op: 'fill', ref: refOf(result, 'textbox "Name"'), text: 'Ada' },
      { op: 'click', ref: refOf(result, 'button "Buy now"') },
    ]),
  );
  await expect.poll(() => pending(chatId), soon).toHaveLength(1);
  const [approval] = await pending(chatId);
  expect(approval.reason).toBe(`The call acts on ${site.url} and may send data: fill textbox "Name" "Ada"; click button "Buy now".`);
  expect(browsers().length).toBeGreaterThan(0);
  expect((await harness.call('POST', '/api/approve', { approvalId: approval.approvalId, decision: 'approve', remember: 'chat' })).status).toBe(200);
  expect(await ended(turnId)).toMatchObject({ reason: 'done' });
  expect(lastResult(model.requests.at(-1) as ScriptedRequest)).toContain('title: bought');
  await isGone();
  const { entries } = (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body;
  expect(JSON.stringify(entries)).toMatch(/PNG, \d+ bytes, artifact [0-9a-f]{64}/);
});

test('requires an approval for other actions despite a remembered approval', async () => {
  const chatId = await newChat();
  for (const key of ['Tab', 'Enter']) {
    const turnId = await run(
      chatId,
      () => opens(),
      acts(() => [{ op: 'press', text: key }]),
    );
    await expect.poll(() => pending(chatId), soon).toHaveLength(1);
    const [approval] = await pending(chatId);
    await harness.call('POST', '/api/approve', { approvalId: approval.approvalId, decision: 'approve', remember: 'chat' });
    await ended(turnId);
  }
});

test('rejects more than forty actions in one call', async () => {
  const chatId = await newChat();
  await ended(
    await run(
      chatId,
      () => opens(),
      acts(() => Array.from({ length: 41 }, () => ({ op: 'read' }))),
    ),
  );
  expect(lastResult(model.requests.at(-1) as ScriptedRequest)).toMatch(/must NOT have more than 40 items|at most 40/);
});

test('ends the whole browser before the reply to an abort during an action', async () => {
  const chatId = await newChat();
  const turnId = await run(
    chatId,
    () => opens(),
    acts(() => [
      { op: 'goto', url: `${site.url}/visit?abort` },
      { op: 'wait', text: 'never' },
    ]),
  );
  await expect.poll(() => site.requests.some(({ path }) => path === '/visit?abort'), soon).toBe(true);
  expect((await harness.call('POST', '/api/session/abort', { chatId })).body).toMatchObject({ ok: true, stopped: ['browser_act'] });
  expect([browsers(), folders()]).toEqual([[], []]);
  expect(await ended(turnId)).toMatchObject({ reason: 'aborted' });
});

test('ends the browser on an abort during a model request', async () => {
  const chatId = await newChat();
  const turnId = await run(
    chatId,
    () => opens(),
    () => ({ text: ['hm', 'hm'], stallAfter: 1 }),
  );
  await expect.poll(() => harness.kernel.resolve('turns').status(chatId).waitingFor === 'model' && browsers().length > 0, soon).toBe(true);
  await harness.call('POST', '/api/session/abort', { chatId });
  await isGone();
  await ended(turnId);
});

test('leaves no browser or folder after an abort during the browser start', async () => {
  const chatId = await newChat();
  const turnId = await run(chatId, () => opens());
  await expect.poll(() => folders().length, { interval: 5, timeout: 30_000 }).toBe(1);
  await harness.call('POST', '/api/session/abort', { chatId });
  expect([browsers(), folders()]).toEqual([[], []]);
  await ended(turnId);
});

test('does not start the program when launch is aborted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'launch-'));
  const program = join(folder, 'program');
  await writeFile(program, `#!/bin/sh\ntouch ${folder}/started\nexec sleep 600\n`, { mode: 0o700 });
  const gate = await startGate(() => '');
  const over = new AbortController();
  const launched = launch({ program, folder, gate, signal: over.signal });
  over.abort(new Error('nobody wants it'));
  await expect(launched).rejects.toThrow('nobody wants it');
  await gate.close();
  expect(await readdir(folder)).not.toContain('started');
  await rm(folder, { recursive: true });
});

test("isolates the browsers of two parallel chats and ends a chat's browser when it is deleted", async () => {
  const [one, two] = [await newChat(), await newChat()];
  const turns: string[] = [];
  for (const [at, chatId] of [one, two].entries()) {
    turns.push(
      await run(
        chatId,
        () => opens(`/visit?${at}`),
        acts(() => [{ op: 'goto', url: `${site.url}/visit?${at}` }]),
        acts(() => [{ op: 'wait', text: 'never', ms: 9_000 }]),
      ),
    );
    await expect
      .poll(() => site.requests.filter(({ path, headers }) => path === `/visit?${at}` && headers.cookie === `chat=${at}`).length, soon)
      .toBeGreaterThan(0);
  }
  expect(folders()).toHaveLength(2);
  expect((await harness.call('DELETE', `/api/chats/${one}`)).status).toBe(200);
  await expect.poll(() => folders(), soon).toHaveLength(1);
  await harness.call('POST', '/api/session/abort', { chatId: two });
  await Promise.all(turns.map(ended));
  await isGone();
});

test('ends running browsers when the plugin is disabled', async () => {
  const chatId = await newChat();
  const turnId = await run(
    chatId,
    () => opens(),
    acts(() => [{ op: 'wait', text: 'never', ms: 9_000 }]),
  );
  await expect.poll(() => folders().length, soon).toBe(1);
  await harness.kernel.control.setDisabled(['browser']);
  expect([browsers(), folders()]).toEqual([[], []]);
  await harness.kernel.control.setDisabled([]);
  await ended(turnId);
});

test('ends the browsers left by a killed server, and no others, at the next start', async () => {
  const [dead, alive, foreign] = [join(tmpdir(), 'app-browser-dead01'), join(tmpdir(), 'app-browser-live01'), join(tmpdir(), 'elsewhere')];
  for (const folder of [dead, alive, foreign]) await mkdir(join(folder, 'profile'), { recursive: true });
  const program = findBrowser() as string;
  const child = spawn(program, ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${dead}/profile`, 'about:blank'], {
    detached: true,
    stdio: 'ignore',
  });
  await expect.poll(() => browsers().length, soon).toBeGreaterThan(2);
  const records = join(harness.home, 'plugin-data/browser');
  const record = (folder: string, ownerPid: number, ownerStart: string): Promise<void> =>
    writeFile(join(records, `${folder.split('/').at(-1)}.json`), JSON.stringify({ folder, ownerPid, ownerStart }));
  await writeRecord(records, alive);
  await record(dead, child.pid ?? 0, 'another start');
  await record(foreign, 1, 'another start');
  await writeFile(join(records, 'broken.json'), '{');
  await harness.close({ keepFiles: true });
  harness = await startHarness({
    home: harness.home,
    workspace: harness.workspace,
    environment: { ...model.environment, AGENT_BROWSER_ALLOWED_HOSTS: '127.0.0.1' },
  });
  expect(browsers()).toEqual([]);
  expect((await readdir(tmpdir())).filter((name) => name.startsWith('app-browser') || name === 'elsewhere').sort()).toEqual([
    'app-browser-live01',
    'elsewhere',
  ]);
  expect(await readdir(records)).toEqual(['app-browser-live01.json']);
  for (const folder of [alive, foreign]) await rm(folder, { recursive: true });
});

test('contains the browser paths of each platform and reports a wrong AGENT_BROWSER_PATH', async () => {
  expect(chromiumPlaces('linux', {})).toContain('/usr/bin/chromium');
  expect(chromiumPlaces('darwin', { HOME: '/Users/a' })).toContain('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
  expect(chromiumPlaces('win32', { PROGRAMFILES: 'C:/P' }).join()).toContain('msedge.exe');
  expect((await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_BROWSER_PATH: '/nowhere/chromium' } } })).status).toBe(200);
  await ended(await run(await newChat(), () => opens()));
  expect(lastResult(model.requests.at(-1) as ScriptedRequest)).toContain('AGENT_BROWSER_PATH is /nowhere/chromium');
});
