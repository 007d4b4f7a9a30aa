// Tests that a command above its limits ends with all its processes and the reason.
import { afterEach, describe, expect, test } from 'vitest';
import * as shell from '../../../builtins/tools/shell/index.ts';
import { openToolBench, type ToolBench } from '../../unit/builtins/files/tool-bench.ts';
import { alive, whyNot } from '../../unit/builtins/shell/sandbox-tests.ts';

let bench: ToolBench;
afterEach(async () => {
  expect(await bench.close()).toEqual([]);
});

const modes = ['off', ...(whyNot === undefined ? ['require'] : [])];
const open = async (sandbox: string, more: Record<string, string>): Promise<void> => {
  bench = await openToolBench({ modules: { shell }, environment: { AGENT_SANDBOX: sandbox, ...more } });
};
const fill = (megabytes: number): string => {
  const code = `const kept = Buffer.alloc(${megabytes / 2} * 1024 * 1024, 1); setInterval(() => kept.length, 1000); console.log('filled')`;
  return `setsid "${process.execPath}" -e "${code}" 4791.25 & "${process.execPath}" -e "${code}" 4791.25`;
};

describe.runIf(process.platform === 'linux').each(modes)('sandbox: %s', (sandbox) => {
  test('ends a command whose processes exceed the memory limit in total', async () => {
    await open(sandbox, { AGENT_COMMAND_MEMORY_MB: '250' });
    const error = await bench.error('run_command', { command: `echo begun; ${fill(400)}` });
    expect(error).toContain('The command was ended: It exceeded 250 MB of memory (AGENT_COMMAND_MEMORY_MB).\nbegun');
    expect(alive('4791.25')).toEqual([]);
    expect(await bench.output('run_command', { command: `"${process.execPath}" -e "Buffer.alloc(20e6, 1); console.log('small')"` })).toBe('small');
  });

  test('ends a command with too many processes, also in the background', async () => {
    await open(sandbox, { AGENT_COMMAND_PROCESSES: '30' });
    const many = 'for i in $(seq 60); do sleep 4792.25 & done; wait';
    expect(await bench.error('run_command', { command: many })).toContain('It exceeded 30 processes (AGENT_COMMAND_PROCESSES).');
    await bench.output('run_command', { command: many, background: true });
    let state = '';
    while (!state.includes('was ended')) state = await bench.output('command_output', { id: 'cmd_1', wait: 5_000 });
    expect(state).toContain('cmd_1 was ended: It exceeded 30 processes');
    expect(alive('4792.25')).toEqual([]);
  });

  test('sets the process limit and a high out-of-memory priority in the system', async () => {
    await open(sandbox, {});
    const [tasks, first] = (await bench.output('run_command', { command: 'ulimit -u; cat /proc/self/oom_score_adj' })).split('\n');
    expect(Number(tasks)).toBeLessThan(100_000);
    expect(first).toBe('500');
  });

  test('applies changed settings at the next check', async () => {
    await open(sandbox, {});
    await bench.output('run_command', { command: 'for i in $(seq 20); do sleep 4793.25 & done; wait', background: true });
    await bench.kernel.control.setPreferences({ AGENT_COMMAND_PROCESSES: '10' });
    let state = '';
    while (!state.includes('was ended')) state = await bench.output('command_output', { id: 'cmd_1', wait: 5_000 });
    expect(alive('4793.25')).toEqual([]);
  });
});
