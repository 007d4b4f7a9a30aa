// Tests that undo reverts the changes of a command, however the command was approved.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareLimits } from '../../../../builtins/turn/checkpoints/compare-workspace.ts';
import { type EventStream, type Harness, openEventStream, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';
import { whyNot as whyNoSandbox } from '../shell/sandbox-tests.ts';

let harness: Harness;
let stream: EventStream;
const model = useEach(() => startScriptedModel([]));
const at = (path: string): string => join(harness.workspace, path);
const text = (path: string): Promise<string> => readFile(at(path), 'utf8');
const command = 'echo two > a.txt; mkdir -p new/deep; echo b > new/deep/b.txt; rm c.txt';

async function open(environment: Readonly<Record<string, string>> = {}, more: readonly string[] = []): Promise<void> {
  harness = await startHarness({
    builtins: ['model-chat-completions', 'files', 'shell', 'checkpoints', ...more],
    environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_MODEL: 'scripted', ...environment },
  });
  stream = await openEventStream(harness);
  await writeFile(at('a.txt'), 'one\n');
  await writeFile(at('c.txt'), 'c\n');
}

async function run(args: object, answer?: object): Promise<any> {
  model.push({ toolCalls: [{ name: 'run_command', args }] }, { text: 'Done.' });
  const seen = stream.events.length;
  const next = (kind: string): Promise<any> => stream.until((event) => event.kind === kind && stream.events.indexOf(event) >= seen);
  await harness.call('POST', '/api/message', { text: 'Run it' });
  if (answer) {
    const { approvalId } = await next('tool_approval');
    expect(await harness.call('POST', '/api/approve', { approvalId, decision: 'approve', ...answer })).toMatchObject({ status: 200 });
  }
  await next('turn_end');
  return next('tool_result');
}

async function putBack(): Promise<void> {
  await writeFile(at('a.txt'), 'one\n');
  await writeFile(at('c.txt'), 'c\n');
  await rm(at('new'), { recursive: true });
}

const undo = async (): Promise<any> => (await harness.call('POST', '/api/undo', {})).body;
const isSandboxed = whyNoSandbox === undefined;

test.each<[string, Record<string, string>, object, object | undefined, string[], boolean]>([
  ['a quick approval', {}, {}, { rehearsal: 'none' }, ['effect-preview'], isSandboxed],
  ['an approval without previews', { AGENT_EFFECT_PREVIEW: '0' }, {}, {}, ['effect-preview'], isSandboxed],
  ['automatic approval', { AGENT_YOLO: '1' }, {}, undefined, [], isSandboxed],
  ['no sandbox', { AGENT_SANDBOX: 'off' }, {}, {}, [], false],
  ['network', {}, { network: true }, {}, [], false],
  ['an edited command', {}, {}, { decision: 'edit', args: { command } }, [], isSandboxed],
])('%s: lists and undoes the changes of the command', async (_, environment, args, answer, more, isContained) => {
  await open(environment, more);
  const { turnId, ok } = await run({ command, ...args }, answer);
  expect(ok).toBe(true);
  const { files, outside } = (await harness.call('GET', `/api/changes?turnId=${turnId}`)).body;
  expect(files.map((file: any) => `${file.kind} ${file.path} +${file.added} -${file.removed}`).sort()).toEqual([
    'added new/deep/b.txt +1 -0',
    'deleted c.txt +0 -1',
    'edited a.txt +1 -1',
  ]);
  // Calls with possible external effects are listed as well.
  expect(outside.map(({ tool }: any) => tool)).toEqual(isContained ? [] : ['run_command']);
  expect(await undo()).toMatchObject({ ok: true, turnId, conflicts: [], notUndone: outside });
  expect([await text('a.txt'), await text('c.txt'), existsSync(at('new'))]).toEqual(['one\n', 'c\n', false]);
});

test('undoes the second run of a remembered approval like the first', async () => {
  await open();
  await run({ command }, { remember: 'chat' });
  await putBack();
  const { turnId } = await run({ command });
  expect(await undo()).toMatchObject({ ok: true, turnId });
  expect([await text('a.txt'), await text('c.txt'), existsSync(at('new'))]).toEqual(['one\n', 'c\n', false]);
});

test('keeps manual changes made after the command, and files the command did not change', async () => {
  await open();
  await writeFile(at('a.txt'), 'one\n2\n3\n4\n5\n6\n');
  await run({ command: "sed -i 's/one/ONE/' a.txt; touch c.txt" }, { rehearsal: 'none' });
  await writeFile(at('a.txt'), 'ONE\n2\n3\n4\n5\nsix\n');
  expect(await undo()).toMatchObject({ restored: ['a.txt'], merged: ['a.txt'] });
  expect(await text('a.txt')).toBe('one\n2\n3\n4\n5\nsix\n');
});

test('declares a command free of other effects only after it ended, because a kill loses the comparison of its changes', async () => {
  await open({ AGENT_YOLO: '1' });
  const ran = run({ command: 'echo ready; until [ -e go ]; do sleep 0.02; done' });
  const { chatId, turnId } = await stream.until((event) => event.kind === 'tool_progress');
  const log = await readFile(join(harness.home, 'chats', chatId as string, 'checkpoints/log.jsonl'), 'utf8');
  expect([log.includes('"outside"'), log.includes('"contained"')]).toEqual([true, false]);
  const outside = async (): Promise<unknown> => (await harness.call('GET', `/api/changes?turnId=${turnId as string}`)).body.outside;
  expect(await outside()).toEqual([]);
  await writeFile(at('go'), '');
  await ran;
  expect(await outside()).toHaveLength(isSandboxed ? 0 : 1);
});

test('records the changes of a failing command', async () => {
  await open();
  expect((await run({ command: `${command}; exit 3` }, {})).ok).toBe(false);
  expect(await undo()).toMatchObject({ ok: true });
  expect(await text('a.txt')).toBe('one\n');
});

test.each([
  ['a large file', (): string => `head -c ${compareLimits.fileBytes + 1} /dev/zero > big.bin`],
  ['a package manager folder', (): string => 'mkdir node_modules/x'],
  ['a commit', (): string => 'echo ref > .git/HEAD'],
  ['a link', (): string => 'ln -s a.txt link'],
  ['a background command', (): string => ''],
])('reports the call when it cannot undo %s', async (what, script) => {
  await open();
  await mkdir(at('node_modules'));
  await mkdir(at('.git'));
  const isBackground = what === 'a background command';
  await run(isBackground ? { command: 'true', background: true } : { command: script() }, {});
  expect(await undo()).toMatchObject({ ok: false, outside: [{ tool: 'run_command' }] });
});
