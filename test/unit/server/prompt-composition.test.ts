// Tests the two ordered lists in docs/architecture/prompt.md: the composition of a request and the deciders about a call.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startHarness, startScriptedModel, useEach } from '../../helpers/in-process.ts';

const model = useEach(() => startScriptedModel([]));
const page = readFileSync('docs/architecture/prompt.md', 'utf8');

function tableAfter(heading: string): string[][] {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| \d/.test(line));
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const parts = tableAfter('The system prompt and the notes after the conversation');

test('the document lists every prompt.build tap of the stock server in order', async () => {
  const harness = await startHarness({ listen: false });
  const taps = (harness.kernel as unknown as { trace(): string[] }).trace().flatMap((label) => {
    const [, at, plugin = ''] = /^tap:prompt\.build#(\d+)@(.+)$/.exec(label) ?? [];
    return at === undefined ? [] : [{ at: Number(at), plugin }];
  });
  const plugins = taps.sort((one, other) => one.at - other.at).map(({ plugin }) => plugin);
  expect(parts.map(([number]) => Number(number))).toEqual(parts.map((_, at) => at + 1));
  expect(parts.map(([, plugin]) => plugin).filter((plugin) => plugin !== 'agent')).toEqual(plugins);
  expect(await harness.close()).toEqual([]);
});

test('the sections of a request match the document in plugin and order', async () => {
  const harness = await startHarness({ environment: { ...model.environment, AGENT_SESSION_MODE: 'coding' }, listen: false });
  const prompts: any[] = [];
  harness.kernel.emitter.tap('turn.observe', (observers: any) => [
    ...observers,
    (observation: any) => void (observation.on === 'answer' && observation.args[0] === 'prompt.build' && prompts.push(observation)),
  ]);
  model.push({ text: 'Yes.' });
  const turns = harness.kernel.resolve('turns');
  await turns.ended((await turns.submit({ text: 'Go on.' })).turnId);
  const [{ args, answers, value }] = prompts;
  const owners = new Map<object, string>(args[1].system.map((section: object) => [section, 'agent']));
  for (const { plugin, answer } of answers) for (const section of answer.system) if (!owners.has(section)) owners.set(section, plugin);
  const listed = parts.filter(([, , place = '']) => place.startsWith('system'));
  const rowOf = (section: { readonly id: string }): number =>
    listed.findIndex(
      ([, plugin, , part = '']) =>
        plugin === owners.get(section) && part.split(/[,;] /).some((id) => new RegExp(`^${id.replace('…', '.*')}$`).test(section.id)),
    );
  const rows = value.system.map(rowOf);
  expect(value.system.map(({ id }: any) => id).filter((_: string, at: number) => rows[at] === -1)).toEqual([]);
  // Sections not at the end state their position in the document.
  const atEnd = rows.filter((row: number) => !listed[row]?.[2]?.includes('after'));
  expect(atEnd).toEqual([...atEnd].sort((one, other) => one - other));
  expect(atEnd.length).toBeGreaterThan(3);
  expect(await harness.close()).toEqual([]);
});

test('the document lists the guard deciders in order', () => {
  const [, list = ''] = readFileSync('plugins/policy/guard.ts', 'utf8').split('const deciders: Readonly<Record<string, Decider>> = {\n');
  const names = [...(list.split('\n  };')[0] ?? '').matchAll(/^ {4}(\w+): (?:async )?\(/gm)].map(([, name]) => name);
  expect(names).toEqual(tableAfter('Who decides about a call').map(([, name]) => name));
});
