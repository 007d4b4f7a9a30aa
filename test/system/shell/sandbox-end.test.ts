import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import * as shell from '../../../builtins/tools/shell/index.ts';
import { openToolBench } from '../../unit/builtins/files/tool-bench.ts';
import { alive, title, whyNot } from '../../unit/builtins/shell/sandbox-tests.ts';
import { useEach } from '../../helpers/use-opened.ts';

async function written(name: string): Promise<void> {
  const isThere = (): Promise<boolean> =>
    access(join(bench.workspace, name)).then(
      () => true,
      () => false,
    );
  while (!(await isThere())) await delay(10);
}

const bench = useEach(() => openToolBench({ modules: { shell }, environment: { AGENT_SANDBOX: 'require' } }));

const tree = (marker: string): string =>
  `trap '' TERM; setsid sh -c "trap '' TERM; (sleep ${marker} &); sleep ${marker}" & sleep ${marker} & touch begun; while true; do sleep ${marker}; done`;

describe.skipIf(whyNot !== undefined)(`ending a command ${title}`, () => {
  test('ends a process tree that ignores SIGTERM on abort, including separate sessions', async () => {
    const marker = '4751.25';
    const controller = new AbortController();
    const running = bench.run('run_command', { command: tree(marker) }, { signal: controller.signal });
    await written('begun');
    controller.abort();
    expect(await running).toMatchObject({ ok: false, error: expect.stringContaining('aborted') });
    expect(alive(marker)).toEqual([]);
  });

  test('ends a process tree at its time limit and with stop_command', async () => {
    expect(await bench.error('run_command', { command: tree('4752.25'), timeoutMs: 500 })).toContain('timed out after 0.5 s');
    expect(alive('4752.25')).toEqual([]);
    await bench.output('run_command', { command: `rm begun; ${tree('4753.25')}`, background: true });
    await written('begun');
    expect(await bench.output('stop_command', { id: 'cmd_1' })).toBe('cmd_1 stopped.');
    expect(alive('4753.25')).toEqual([]);
  });

  test('gives a command that handles SIGTERM time to clean up', async () => {
    const controller = new AbortController();
    const command = "trap 'echo tidy > tidied; exit' TERM; touch begun; while true; do sleep 0.05; done";
    const running = bench.run('run_command', { command }, { signal: controller.signal });
    await written('begun');
    controller.abort();
    await running;
    expect(await readFile(join(bench.workspace, 'tidied'), 'utf8')).toBe('tidy\n');
  });

  test('ends a command aborted right after its start', async () => {
    const controller = new AbortController();
    const running = bench.run('run_command', { command: 'sleep 4754.25' }, { signal: controller.signal });
    while (alive('4754.25').length === 0) await delay(1);
    controller.abort();
    expect(await running).toMatchObject({ ok: false });
    expect(alive('4754.25')).toEqual([]);
  });

  test('ends and reports processes left in a separate session', async () => {
    expect(await bench.output('run_command', { command: 'setsid sleep 4755.25 & echo done' })).toContain('done\n[Its remaining processes were ended');
    expect(alive('4755.25')).toEqual([]);
  });

  test('waits for background processes that are about to end', async () => {
    expect(await bench.output('run_command', { command: '(sleep 0.05; echo late) & echo early' })).toBe('early\nlate');
  });
});
