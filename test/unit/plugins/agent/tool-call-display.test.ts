import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RegisteredTool } from 'agent-harness/plugins/tools';
import { filesFamily } from '../../../../builtins/tools/files/family.ts';
import { openEventStream, startHarness } from '../../../helpers/in-process.ts';
import { shownAs } from '../../../../plugins/agent/tool-call-display.ts';

const tool = (display: RegisteredTool['display']): RegisteredTool => ({ display }) as RegisteredTool;

test('a call shows the display of its tool, and its subject once the arguments are complete', () => {
  const greet = tool({ icon: 'bell', subject: ({ to }: { to: string }) => ` To ${to}\nat once` });
  expect(shownAs(greet)).toEqual({ icon: 'bell' });
  expect(shownAs(greet, { to: 'Ann' })).toEqual({ icon: 'bell', subject: 'To Ann…' });
  expect(shownAs(undefined, { to: 'Ann' })).toEqual({});
  expect(shownAs(tool(undefined), {})).toEqual({});
});

test('a failing or non-text subject is omitted, and a long one is cut between characters', () => {
  const broken = (): never => {
    throw new Error('no');
  };
  expect(shownAs(tool({ icon: 'bell', subject: broken }), {})).toEqual({ icon: 'bell' });
  expect(shownAs(tool({ subject: (() => 7) as never }), {})).toEqual({});
  expect(shownAs(tool({ subject: () => `${'x'.repeat(199)}😀` }), {}).subject).toBe(`${'x'.repeat(199)}…`);
});

test.each([
  ['read_file', { path: 'a.ts' }, 'a.ts'],
  ['read_file', { path: 'a.ts', offset: 10, limit: 5 }, 'a.ts, lines 10–14'],
  ['read_file', { path: 'a.ts', limit: 5 }, 'a.ts, first 5 lines'],
  ['read_file', { path: 'a.ts', offset: 10 }, 'a.ts, from line 10'],
  ['grep_files', { pattern: 'sum', path: 'src' }, 'sum in src'],
  ['grep_files', { pattern: 'sum' }, 'sum'],
  ['list_dir', {}, '.'],
])('the subject of %s with %j', (name, args, subject) => {
  const found = filesFamily({} as never).tools.find((one) => one.name === name);
  expect(shownAs(found as RegisteredTool, args).subject).toBe(subject);
});

test('the transcript includes the display of a call, also after its tool is gone', async () => {
  const display = { icon: 'bell', subject: ({ to }: { to: string }) => `To ${to}` };
  const input = { type: 'object', properties: { to: { type: 'string' } } };
  const greet = { name: 'say_hello', description: 'Greets.', effects: ['read'], input, display, run: () => 'done' };
  const modules: any = { kit: { register: (registry: any) => registry.add('tool', greet) } };
  const harness = await startHarness({ builtins: ['model-demo'], modules });
  const turns = harness.kernel.resolve('turns');
  const { chatId, turnId } = await turns.submit({ text: 'call say_hello with {"to": "Ann"}' });
  await turns.ended(turnId);
  await harness.kernel.control.setDisabled(['kit']);
  const { body } = await harness.call('GET', `/api/chats/${chatId}/transcript`);
  expect(body.entries.find((entry: any) => entry.kind === 'tool')).toMatchObject({ name: 'say_hello', icon: 'bell', subject: 'To Ann', output: 'done' });
});

test('a journal of an older version without display data shows the same display in the transcript and in replays', async () => {
  const home = await mkdtemp(join(tmpdir(), 'shown-as-'));
  const display = { icon: 'bell', subject: ({ to }: { to: string }) => `To ${to}` };
  const input = { type: 'object', properties: { to: { type: 'string' } } };
  const run = (_args: unknown, { chatId }: { chatId: string }): string => {
    ring(chatId);
    return 'done';
  };
  let ring: (chatId: string) => void = () => undefined;
  const kit = {
    manifest: { name: 'kit', requires: [], events: ['bell_rung'] },
    register(registry: any, emitter: any) {
      ring = (chatId) => emitter.emit('bell_rung', { chatId });
      registry.add('wire_event', { name: 'bell_rung', description: 'Rings.', schema: { type: 'object' }, shows: () => ({ text: 'It rings.' }) });
      registry.add('tool', { name: 'say_hello', description: 'Greets.', effects: ['read'], input, display, run });
    },
  };
  const modules: any = { kit };
  const first = await startHarness({ builtins: ['model-demo'], modules, home });
  const turns = first.kernel.resolve('turns');
  const { chatId, turnId } = await turns.submit({ text: 'call say_hello with {"to": "Ann"}' });
  await turns.ended(turnId);
  await first.close();

  const journal = join(home, 'chats', chatId, 'session.jsonl');
  const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
  const older = lines.map((line) => {
    const { icon: _icon, subject: _subject, shown: _shown, ...event } = JSON.parse(line);
    return JSON.stringify(event);
  });
  expect(older).not.toEqual(lines);
  await writeFile(journal, `${older.join('\n')}\n`);
  const second = await startHarness({ builtins: ['model-demo'], modules, home });
  const { body } = await second.call('GET', `/api/chats/${chatId}/transcript`);
  expect(body.entries.find((entry: any) => entry.kind === 'tool')).toMatchObject({ icon: 'bell', subject: 'To Ann' });
  expect(body.entries).toContainEqual(expect.objectContaining({ kind: 'system', text: 'It rings.' }));
  const stream = await openEventStream(second, { chatId, since: '0' });
  await stream.until('turn_end');
  const replayed = new Map(stream.events.map((event) => [event['id'], event]));
  for (const event of lines.map((line) => JSON.parse(line))) expect(replayed.get(event.id)).toEqual(event);
  stream.close();
  await second.close();
  await rm(home, { recursive: true });
});
