import { expect, test } from 'vitest';
import * as shell from '../../../../builtins/tools/shell/index.ts';
import { openToolBench } from '../files/tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';
import { alive } from './sandbox-tests.ts';

async function start(command: string, chatId = 'chat_1'): Promise<string> {
  const output = await bench.output('run_command', { command, background: true }, { chatId });
  return /cmd_\d+/.exec(output)?.[0] ?? '';
}

const bench = useEach(() => openToolBench({ modules: { shell } }));

test('returns from a background command immediately and reads its output incrementally', async () => {
  const id = await start('echo one; sleep 0.3; echo two');
  expect(await bench.output('command_output', { id, wait: 5000 })).toBe(`${id} is running.\none`);
  expect(await bench.output('command_output', { id, wait: 5000 })).toContain('two');
  let last = '';
  while (!last.includes('has ended')) last = await bench.output('command_output', { id, wait: 5000 });
  expect(last).toContain('The command exited with code 0');
  expect(await bench.output('command_output', { id })).toContain('(no output)');
});

test('stops waiting for output at the wait limit and on abort', async () => {
  const id = await start('sleep 4721.25');
  expect(await bench.output('command_output', { id, wait: 50 })).toContain('(no output)');
  const controller = new AbortController();
  const waiting = bench.run('command_output', { id, wait: 60_000 }, { signal: controller.signal });
  controller.abort();
  expect(await waiting).toMatchObject({ ok: true });
});

test('stops a command with all its child processes', async () => {
  const id = await start("trap '' TERM; sleep 4722.25 & sleep 4722.25");
  expect(await bench.output('list_commands', {})).toContain(`${id} is running.`);
  expect(await bench.output('stop_command', { id })).toBe(`${id} stopped.`);
  expect(alive('4722.25')).toEqual([]);
  expect(await bench.output('list_commands', {})).toContain(`${id} has ended`);
});

test('limits listing and stopping to the commands of the same chat', async () => {
  const mine = await start('sleep 4723.25');
  const other = await start('sleep 4724.25', 'chat_2');
  expect(await bench.error('command_output', { id: other })).toContain('This chat has no background command');
  expect(await bench.error('stop_command', { id: other })).toContain('This chat has no background command');
  expect(await bench.output('list_commands', {})).not.toContain(other);
  await bench.owner.call('chat.close', ['chat_1']);
  expect([alive('4723.25').length, alive('4724.25').length > 0]).toEqual([0, true]);
  expect(await bench.output('command_output', { id: mine })).toContain('has ended');
  await bench.owner.call('session.reset', [{ chatId: 'chat_2', mode: 'soft' }]);
  expect(alive('4724.25')).toEqual([]);
});

test('stops all commands on server shutdown and when the kernel closes', async () => {
  await start('sleep 4725.25');
  await bench.owner.call('app.stop', []);
  expect(alive('4725.25')).toEqual([]);
  await start('sleep 4726.25');
  await bench.kernel.close();
  expect(alive('4726.25')).toEqual([]);
});

test('limits the number of background commands and the stored output', async () => {
  const id = await start('head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last; sleep 4727.25');
  let seen = '';
  while (!seen.includes('last')) seen = await bench.output('command_output', { id, wait: 5000 });
  expect(seen.length).toBeLessThan(300_000);
  for (let count = 1; count < 16; count++) await start('sleep 4727.25');
  expect(await bench.error('run_command', { command: 'true', background: true })).toContain('16 background commands are already running');
});
