// Shared parts of the crash tests: random numbers, a counting tool, and a model that calls it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from '../../helpers/dice.ts';
import { startScriptedModel, type ScriptedModel, type ScriptedReply } from '../../helpers/scripted-model.ts';

export interface Dice {
  below(limit: number): number;
}

export function rollDice(): Dice {
  let state = seed;
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}

/** Answers a ping immediately. Otherwise replies with two counted calls and a file write, then with text. Call ids are unique. */
export async function startCrashModel(): Promise<ScriptedModel> {
  let calls = 0;
  const idOf = (): string => `call_${calls++}`;
  return startScriptedModel(({ body }): ScriptedReply => {
    const last = body.messages.at(-1);
    if (last.role === 'user' && String(last.content).includes('ping')) return { text: 'pong' };
    if (last.role === 'tool') return { text: ['All ', 'is ', 'well.'], delayMs: 1 };
    const id = idOf();
    return {
      text: ['Look', 'ing.'],
      toolCalls: [
        { id, name: 'count', args: { size: 3 }, fragments: 2 },
        { id: idOf(), name: 'write_file', args: { path: `${id}.txt`, content: id } },
        { id: idOf(), name: 'count', args: { size: 3 } },
      ],
      delayMs: 1,
    };
  });
}

/** Appends the id of each executed call to `counted.txt` in the workspace. */
const countingPlugin = `
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
export function register(registry) {
  registry.add('tool', {
    name: 'count',
    description: 'Counts.',
    input: { type: 'object', properties: { size: { type: 'integer' } }, additionalProperties: false },
    effects: ['execute'],
    replay: 'never',
    isEveryday: true,
    async run({ size }, { callId, workspaceRoot }) {
      appendFileSync(join(workspaceRoot, 'counted.txt'), callId + '\\n');
      globalThis.crashStep?.('counted');
      await new Promise((resolve) => setTimeout(resolve, size));
      return 'counted';
    },
  });
}
`;

export async function addCountingTool(home: string): Promise<void> {
  await mkdir(join(home, 'plugins'), { recursive: true });
  await writeFile(join(home, 'plugins', 'counting.mjs'), countingPlugin);
}
