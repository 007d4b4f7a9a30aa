// The hook `turn.observe`: what a tap is given of a turn and of a task in it, in which order, and that a broken tap harms no turn.
import { expect, test } from 'vitest';
import { addTools, ownTool, useAgentBench } from './agent-bench.ts';

const open = useAgentBench();

test('a tap gets each answer before the loop goes on, with the plugins that gave it; a tap that throws is passed over', async () => {
  const seen: any[] = [];
  const turnIds = new Set<string>();
  const bench = await open((registry, emitter) => {
    addTools(ownTool('look', () => 'A heron.'))(registry);
    emitter.tap('prompt.build', (prompt: any) => ({ ...prompt, system: [...prompt.system, { id: 'own', text: 'Be brief.' }] }));
    emitter.tap('turn.observe', (observation: any, turn: any) => {
      seen.push(observation);
      turnIds.add(turn.turnId);
      throw new Error('broken');
    });
  });
  bench.model.push({ text: 'I look.', toolCalls: [{ name: 'look', args: {} }] }, { text: 'A heron it is.' });
  const { body } = await bench.send('What is there?');
  const end = await bench.ended(body.turnId);
  expect(end['reason']).toBe('done');
  expect([...turnIds]).toEqual([body.turnId]);

  const names = seen.map(({ on, key = '', channel = '' }) => `${on} ${key.replace(/call_\w+/, 'CALL')} ${channel}`.trim());
  const ofStory = [
    ...['start', 'answer 0/hook/turn.before/0', 'answer 0/hook/prompt.build/0', 'request 0/stream//0', 'piece 0/stream//0 text', 'call 0/stream//0'],
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
