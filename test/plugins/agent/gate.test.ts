// The gate of tool calls: where nobody decides, nothing runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDistribution } from '../../../builtins/distribution/open.ts';
import { allModules, load } from '../../helpers/harness.ts';

test('without the plugin that decides, a call of the model is refused', async () => {
  const home = await mkdtemp(join(tmpdir(), 'gate-'));
  let ran = 0;
  const kit = {
    register(registry: any) {
      registry.add('tool', { name: 'look_at', description: 'Looks.', effects: ['read'], input: { type: 'object' }, run: () => `${++ran}` });
    },
  };
  const { policy: _, ...platform } = await load(allModules.platform);
  const { kernel, ready } = await openDistribution(
    { name: 'app', title: 'App' },
    {
      home,
      startFolder: home,
      environment: {},
      log: () => undefined,
      sources: [
        { origin: 'platform', modules: platform },
        { origin: 'builtin', modules: await load(allModules.builtin, ['model-demo']) },
        { origin: 'user', modules: { kit } },
      ],
    },
  );
  await ready;
  const results: unknown[] = [];
  kernel.emitter.on('tool_result', (result) => results.push(result));
  const { turnId } = await kernel.resolve('turns').submit({ text: 'call look_at with {}' });
  await kernel.resolve('turns').ended(turnId);
  expect(results).toMatchObject([{ name: 'look_at', ok: false, output: expect.stringContaining('Nobody is there to decide') }]);
  expect(ran).toBe(0);
  await kernel.close();
  await rm(home, { recursive: true, force: true });
});
