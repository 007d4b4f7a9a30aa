// Tests the hook `turn.observe`: contents and order of notifications, and isolation of a failing observer.
import { expect, test } from 'vitest';
import { addTools, ownTool, useAgentBench } from './agent-bench.ts';

const open = useAgentBench();

test('an observer receives each answer in order with its plugins, and a throwing observer is dropped', async () => {
  const seen: any[] = [];
  const turnIds = new Set<string>();
  let broken = 0;
  const bench = await open((registry, emitter) => {
    addTools(ownTool('look', () => 'A heron.'))(registry);
    emitter.tap('prompt.build', (prompt: any) => ({ ...prompt, system: [...prompt.system, { id: 'own', text: 'Be brief.' }] }));
    emitter.tap('turn.observe', (observers: any, turn: any) => {
      turnIds.add(turn.turnId);
      const breaks = (): never => {
        broken++;
        throw new Error('broken');
      };
      return [...observers, breaks, (observation: any) => void seen.push(observation)];
    });
  });
  bench.model.push({ text: 'I look.', toolCalls: [{ name: 'look', args: {} }] }, { text: 'A heron it is.' });
  const { body } = await bench.send('What is there?');
  const end = await bench.ended(body.turnId);
  expect(end['reason']).toBe('done');
  expect([...turnIds]).toEqual([body.turnId]);
  expect(broken).toBe(1);

  const names = seen.map(({ on, key = '', channel = '' }) => `${on} ${key.replace(/call_\w+/, 'CALL')} ${channel}`.trim());
  const ofStory = [
    ...['answer 0/hook/turn.before/0', 'answer 0/hook/prompt.build/0', 'request 0/stream//0', 'piece 0/stream//0 text', 'call 0/stream//0'],
    ...['piece 0/stream//0 args', 'answer 0/stream//0', 'answer 0/gate/CALL/0', 'answer 0/run/CALL/0', 'answer 0/hook/tool.after/0'],
    ...['answer 0/hook/prompt.build/1', 'request 0/stream//1', 'answer 0/stream//1', 'answer 0/hook/turn.finalize/0'],
  ];
  let from = 0;
  for (const name of ofStory) {
    const at = names.indexOf(name, from);
    expect(at, `${name} after ${names.slice(Math.max(0, from - 3), from).join(', ')}`).toBeGreaterThanOrEqual(from);
    from = at + 1;
  }
  const prompt = seen.find(({ key }) => key === '0/hook/prompt.build/0');
  expect(prompt.args[0]).toBe('prompt.build');
  expect(prompt.answers.map(({ plugin }: any) => plugin)).toContain('own');
  expect(prompt.value.system.at(-1)).toEqual({ id: 'own', text: 'Be brief.' });
  expect(seen.find(({ key }) => key?.startsWith('0/run/')).value).toMatchObject({ ok: true, output: 'A heron.' });
});
