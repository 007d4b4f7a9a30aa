// Tests preferences of a wrong shape: usable values apply, others are reported, and the program starts.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHarness } from '../../../helpers/harness.ts';

test('numbers are read as text, and lists and objects are skipped and reported without blocking the start', async () => {
  const home = await mkdtemp(join(tmpdir(), 'misfits-'));
  const env = { AGENT_APPROVAL_TIMEOUT_MS: 33_333, AGENT_PLUGIN_DIR: 5, AGENT_MODEL: ['x'] };
  await writeFile(join(home, '.agent_runtime_prefs.json'), JSON.stringify({ harness: { env }, plugins: { disabled: 5 } }));
  const harness = await startHarness({ home, builtins: ['model-demo'] });
  expect((await harness.call('GET', '/api/config')).body.approvalTimeoutMs).toBe(33_333);
  const logs = harness.logs.join('\n');
  expect(logs).toContain('harness.env.AGENT_MODEL must be text');
  expect(logs).toContain('plugins.disabled must be a list of names');
  await harness.close();
  await rm(home, { recursive: true, force: true });
});
