import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import * as shell from '../../../../builtins/tools/shell/index.ts';
import { openToolBench } from '../files/tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';

async function start(command: string, chatId = 'chat_1'): Promise<string> {
  const output = await bench.output('run_command', { command, background: true }, { chatId });
  return /cmd_\d+/.exec(output)?.[0] ?? '';
}

function alive(marker: string): string[] {
  const rows = execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).split('\n');
  return rows.filter((row) => row.includes(marker) && !row.trim().startsWith('Z'));
}

const bench = useEach(() => openToolBench({ modules: { shell } }));

test('a background command answers at once and is read piece by piece', async () => {
  const id = await start('echo one; sleep 0.3; echo two');
  expect(await bench.output('command_output', { id, wait: 5000 })).toBe(`${id} is running.\none`);
  expect(await bench.output('command_output', { id, wait: 5000 })).toContain('two');
  let last = '';
  while (!last.includes('has ended')) last = await bench.output('command_output', { id, wait: 5000 });
  expect(last).toContain('The command exited with code 0');
  expect(await bench.output('command_output', { id })).toContain('(no output)');
});

test('waiting ends with its time and with the call', async () => {
  const id = await start('sleep 4721.25');
  expect(await bench.output('command_output', { id, wait: 50 })).toContain('(no output)');
  const controller = new AbortController();
  const waiting = bench.run('command_output', { id, wait: 60_000 }, { signal: controller.signal });
  controller.abort();
  expect(await waiting).toMatchObject({ ok: true });
});

test('stop_command ends everything the command started', async () => {
  const id = await start("trap '' TERM; sleep 4722.25 & sleep 4722.25");
  expect(await bench.output('list_commands', {})).toContain(`${id} is running.`);
  expect(await bench.output('stop_command', { id })).toBe(`${id} stopped.`);
  expect(alive('4722.25')).toEqual([]);
  expect(await bench.output('list_commands', {})).toContain(`${id} has ended`);
});

test('a chat sees and ends its own commands only', async () => {
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

test('the end of the server and of the plugin end them all', async () => {
  await start('sleep 4725.25');
  await bench.owner.call('app.stop', []);
  expect(alive('4725.25')).toEqual([]);
  await start('sleep 4726.25');
  await bench.kernel.close();
  expect(alive('4726.25')).toEqual([]);
});

test('there is a limit to how many run at once, and to what is kept of their output', async () => {
  const id = await start('head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last; sleep 4727.25');
  let seen = '';
  while (!seen.includes('last')) seen = await bench.output('command_output', { id, wait: 5000 });
  expect(seen.length).toBeLessThan(300_000);
  for (let count = 1; count < 16; count++) await start('sleep 4727.25');
  expect(await bench.error('run_command', { command: 'true', background: true })).toContain('16 background commands are already running');
});
