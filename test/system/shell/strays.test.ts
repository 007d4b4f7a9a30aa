// Tests that processes outside the process group of a command end with it, without a sandbox.
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import * as shell from '../../../builtins/tools/shell/index.ts';
import { openToolBench } from '../../unit/builtins/files/tool-bench.ts';
import { alive } from '../../unit/builtins/shell/sandbox-tests.ts';
import { useEach } from '../../helpers/use-opened.ts';

const bench = useEach(() => openToolBench({ modules: { shell }, environment: { AGENT_SANDBOX: 'off' } }));

/** Processes in a separate session, orphaned, and with a cleared environment. All ignore SIGTERM. */
const strays = (marker: string): string => {
  const stay = `trap '' TERM; while true; do sleep ${marker}; done`;
  return `setsid sh -c "${stay}" & (setsid sh -c "${stay}" &) ; setsid sh -c "env -i sh -c \\"${stay}\\"; true" &`;
};
const begun = async (marker: string, count: number): Promise<void> => {
  while (alive(`sleep ${marker}`).filter((row) => !row.includes('while')).length < count) await delay(10);
};

describe.runIf(process.platform === 'linux')('processes outside the group', () => {
  test('end with the command and are reported', async () => {
    const marker = '4761.25';
    const output = await bench.output('run_command', {
      command: `${strays(marker)} until [ $(pgrep -fc 'sleep ${marker}$') -ge 3 ]; do sleep 0.05; done; echo done`,
    });
    expect(output).toContain('done\n[Its remaining processes were ended');
    expect(alive(marker)).toEqual([]);
  });

  test('end with an abort, the time limit and stop_command', async () => {
    const controller = new AbortController();
    const aborted = bench.run('run_command', { command: `${strays('4762.25')} wait` }, { signal: controller.signal });
    await begun('4762.25', 3);
    controller.abort();
    expect(await aborted).toMatchObject({ ok: false, error: expect.stringContaining('aborted') });
    expect(alive('4762.25')).toEqual([]);
    expect(await bench.error('run_command', { command: `${strays('4763.25')} wait`, timeoutMs: 500 })).toContain('timed out after 0.5 s');
    expect(alive('4763.25')).toEqual([]);
    const id = /cmd_\d+/.exec(await bench.output('run_command', { command: `${strays('4764.25')} wait`, background: true }))?.[0];
    await begun('4764.25', 3);
    expect(await bench.output('stop_command', { id })).toBe(`${id} stopped.`);
    expect(alive('4764.25')).toEqual([]);
  });

  test('end with the chat and with the plugin', async () => {
    await bench.output('run_command', { command: `${strays('4765.25')} wait`, background: true });
    await begun('4765.25', 3);
    await bench.owner.call('chat.close', ['chat_1']);
    expect(alive('4765.25')).toEqual([]);
    await bench.output('run_command', { command: `${strays('4766.25')} wait`, background: true });
    await begun('4766.25', 3);
    await bench.kernel.close();
    expect(alive('4766.25')).toEqual([]);
  });

  test('run their SIGTERM handler once', async () => {
    const id = /cmd_\d+/.exec(
      await bench.output('run_command', {
        command: `setsid bash -c 'trap "echo tidy >> tidied; exit" TERM; touch begun; while true; do sleep 0.05; done' & wait`,
        background: true,
      }),
    )?.[0];
    while (!(await bench.output('run_command', { command: 'ls' })).includes('begun')) await delay(10);
    await bench.output('stop_command', { id });
    expect(await bench.output('run_command', { command: 'cat tidied' })).toBe('tidy');
  });

  test('of other commands keep running', async () => {
    const first = /cmd_\d+/.exec(await bench.output('run_command', { command: 'setsid sleep 4767.25 & wait', background: true }))?.[0];
    await bench.output('run_command', { command: 'setsid sleep 4768.25 & true' }, { chatId: 'chat_2' });
    expect([alive('4767.25').length > 0, alive('4768.25')]).toEqual([true, []]);
    await bench.output('stop_command', { id: first });
  });
});
