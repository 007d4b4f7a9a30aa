// Tests that the young generation of the heap stays bounded after a burst of work.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createProgram, type Program } from '../../helpers/cli-program.ts';

/** Allocates short-lived objects over many event loop iterations. Returns the size of the young generation, early if it exceeds the bound. */
const plugin = `import { Session } from 'node:inspector/promises';
import { getHeapSpaceStatistics } from 'node:v8';
export const manifest = { name: 'burst', isolation: 'process' };
export function register(registry) {
  registry.add('tool', {
    name: 'burst', description: 'Bursts.', effects: ['read'], input: { type: 'object', properties: {} },
    async run() {
      const roomOf = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1024 / 1024;
      // As an idle server does after its start.
      const session = new Session();
      session.connect();
      await session.post('HeapProfiler.collectGarbage');
      session.disconnect();
      const kept = [];
      let most = 0;
      for (let pass = 0; pass < 300 && most <= 8; pass++) {
        for (let at = 0; at < 4_000; at++) kept.push({ at, list: [pass] });
        if (kept.length > 200_000) kept.splice(0, 100_000);
        await new Promise((resolve) => setImmediate(resolve));
        most = Math.max(most, roomOf());
      }
      return \`The room was \${most} MB.\`;
    },
  });
}`;

let program: Program | undefined;
afterEach(() => program?.clean());

async function roomOfBurst(environment: Record<string, string>): Promise<number> {
  program = await createProgram();
  const plugins = join(program.home, 'plugins');
  await mkdir(plugins, { recursive: true, mode: 0o700 });
  await writeFile(join(plugins, 'burst.mjs'), plugin, { mode: 0o600 });
  const { code, stdout } = await program.run(['run', '/call burst {}'], { environment });
  expect(code).toBe(0);
  return Number(/The room was ([\d.]+) MB/.exec(stdout)?.[1]);
}

test('limits the young generation to 8 MB', async () => {
  expect(await roomOfBurst({})).toBe(8);
});

test('applies a young generation size from NODE_OPTIONS', async () => {
  expect(await roomOfBurst({ NODE_OPTIONS: '--max-semi-space-size=16' })).toBeGreaterThan(8);
});
