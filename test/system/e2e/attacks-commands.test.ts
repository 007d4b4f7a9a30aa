// Tests that approved commands can neither obtain the owner token nor outlive a killed server.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alive, whyNot } from '../../unit/builtins/shell/sandbox-tests.ts';
import { openEventStream } from '../../helpers/event-stream.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let model: ScriptedModel;
let home: string;
let workspace: string;
let server: ServerProcess | undefined;
let calls: { name: string; args: object }[] = [];
beforeEach(async () => {
  model = await startScriptedModel(() => ({ toolCalls: calls.splice(0), text: 'So.' }));
  home = await mkdtemp(join(tmpdir(), 'commands-'));
  workspace = await mkdtemp(join(tmpdir(), 'commands-work-'));
});
afterEach(async () => {
  await server?.stop();
  await model.close();
  for (const folder of [home, workspace]) await rm(folder, { recursive: true, force: true });
});

const start = (sandbox: string): Promise<ServerProcess> =>
  startServerProcess({ home, workspace, environment: { ...model.environment, AGENT_YOLO: '1', AGENT_SANDBOX: sandbox } });

async function run(commands: readonly object[]): Promise<string> {
  if (!server) throw new Error('no server');
  calls = commands.map((args) => ({ name: 'run_command', args }));
  const stream = await openEventStream(server);
  await server.call('POST', '/api/message', { text: 'go' });
  await stream.until((event) => event.kind === 'turn_end');
  stream.close();
  return JSON.stringify(stream.events.filter((event) => event.kind === 'tool_result'));
}

const modes = ['off', ...(whyNot === undefined ? ['require'] : [])];
test.runIf(process.platform === 'linux').each(modes)('gives a command with network access no token of its server, sandbox: %s', async (sandbox) => {
  server = await start(sandbox);
  const { token, url } = server;
  expect(await (await fetch(`${url}/api/config`)).text()).toContain(token);
  const ask = `"${process.execPath}" -e "Promise.all(['/', '/api/config'].map((path) => fetch('${url}' + path).then((reply) => reply.text()))).then((all) => console.log('answers', ...all))"`;
  const forms = [
    ask,
    `setsid --wait ${ask}`,
    `env -i ${ask}`,
    `sh -c '(setsid ${ask.replaceAll("'", "'\\''")} > out.txt &); for _ in $(seq 200); do grep -q answers out.txt && break; sleep 0.05; done; cat out.txt'`,
    `cat ${home}/web_token`,
  ];
  const printed = await run(forms.slice(0, sandbox === 'off' ? 4 : 5).map((command) => ({ command, network: true })));
  expect(printed.match(/answers/g)?.length).toBeGreaterThanOrEqual(4);
  expect(printed).not.toContain(token);
});

test.runIf(process.platform === 'linux').each(modes)('ends processes of a killed server at its next start, sandbox: %s', async (sandbox) => {
  server = await start(sandbox);
  const marker = sandbox === 'off' ? '4771.25' : '4772.25';
  await run([{ command: `setsid sleep ${marker} & (setsid sh -c 'sleep ${marker}; true' &); sleep ${marker}`, background: true }]);
  await expect.poll(() => alive(`sleep ${marker}`).length).toBeGreaterThanOrEqual(3);
  await server.stop('SIGKILL');
  server = await start(sandbox);
  await expect.poll(() => alive(marker)).toEqual([]);
});
