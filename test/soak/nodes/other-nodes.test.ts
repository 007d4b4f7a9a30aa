// Tests the built program on later Node versions: startup, plugins in each isolation mode, a turn. `npm run soak nodes` provides `node22` and `node24`.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { createProgram, main, type Program } from '../../helpers/cli-program.ts';
import { testWith } from '../../helpers/programs-needed.ts';

let program: Program | undefined;
afterEach(() => program?.clean());

const tiers = ['process', 'child'];

for (const node of ['node22', 'node24'])
  testWith(node)(`on ${node} plugins run in the process and in child processes, nothing warns, and a turn calls their tools`, async () => {
    program = await createProgram();
    await mkdir(join(program.home, 'plugins'), { recursive: true, mode: 0o700 });
    for (const tier of tiers) {
      const tool = `{ name: '${tier}_greet', description: 'Greets.', effects: ['read'], input: { type: 'object', properties: {} }, run: () => 'Hello from the ${tier}' }`;
      const text = `export const manifest = { name: 'in-${tier}', isolation: '${tier}' };
export function register(registry) { registry.add('tool', ${tool}); }`;
      await writeFile(join(program.home, `plugins/in-${tier}.mjs`), text, { mode: 0o600 });
    }
    const run = async (...argv: string[]): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> => {
      const running = (program as Program).startProgram(node, [main, ...argv], {});
      running.child.stdin?.end();
      return running.ended;
    };
    const listed = await run('plugins', '--json');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    const rows: { name: string; origin: string; state: string }[] = JSON.parse(listed.stdout);
    expect(rows.filter(({ origin }) => origin === 'user')).toEqual(
      [...tiers].sort().map((tier) => expect.objectContaining({ name: `in-${tier}`, state: 'active', ...(tier === 'process' ? {} : { isolation: tier }) })),
    );
    expect(rows.filter(({ state }) => !['active', 'locked'].includes(state))).toEqual([]);
    for (const tier of tiers) {
      const { code, stdout } = await run('run', `/call ${tier}_greet {}`);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`Hello from the ${tier}`) });
    }
  });
