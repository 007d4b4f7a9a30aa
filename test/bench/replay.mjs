// What it costs a round of calls that its turn is recorded: the same turns with recording on and off, by turns, in one process.
// `node test/bench/replay.mjs [turns] [rounds]`: runs from the sources.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';
import { median, root } from './client.mjs';

const [turns = 30, rounds = 20] = process.argv.slice(2).map(Number);
const resolve = { conditions: ['source', 'node', 'module', 'default'] };
const vite = await createServer({
  configFile: false,
  root,
  resolve,
  ssr: { resolve },
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
});
const { startHarness } = await vite.ssrLoadModule(join(root, 'test/helpers/harness.ts'));
const { startScriptedModel } = await vite.ssrLoadModule(join(root, 'test/helpers/scripted-model.ts'));

const workspace = mkdtempSync(join(tmpdir(), 'replay-bench-'));
writeFileSync(join(workspace, 'a.txt'), 'Ships of oak, and what they carry.\n'.repeat(100));
const model = await startScriptedModel();
const harness = await startHarness({ workspace, builtins: ['files', 'checkpoints', 'replay', 'model-chat-completions'], environment: model.environment });

/** Milliseconds of a round: what passed, and what was computed until the record was written. */
async function turn(isRecorded) {
  await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_REPLAY_RECORD: isRecorded ? '1' : '0' } } });
  const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
  for (let at = 0; at < rounds; at++) model.push({ text: ['I ', 'read ', 'on.'], toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] });
  model.push({ text: 'Read.' });
  const [before, cpu] = [performance.now(), process.cpuUsage()];
  const { turnId } = (await harness.call('POST', '/api/message', { chatId, text: 'Read on.' })).body;
  await harness.kernel.resolve('turns').ended(turnId);
  const passed = (performance.now() - before) / rounds;
  // What is put into a file afterwards counts as well.
  await new Promise((done) => setTimeout(done, 50));
  const { user, system } = process.cpuUsage(cpu);
  return { passed, computed: (user + system) / 1000 / rounds };
}

for (let at = 0; at < 6; at++) await turn(at % 2 === 0);
const [on, off] = [[], []];
for (let at = 0; at < turns; at++) {
  const first = at % 2 === 0;
  for (const isRecorded of [first, !first]) (isRecorded ? on : off).push(await turn(isRecorded));
}
const round = (number) => Math.round(number * 1000) / 1000;
const of = (list, field) => round(median(list.map((one) => one[field])));
const pairs = (field) => round(median(on.map((one, at) => one[field] - off[at][field])));
console.log(
  JSON.stringify(
    {
      msOfRound: { recorded: of(on, 'passed'), not: of(off, 'passed'), more: pairs('passed') },
      cpuMsOfRound: { recorded: of(on, 'computed'), not: of(off, 'computed'), more: pairs('computed') },
      ratio: round(of(on, 'passed') / of(off, 'passed')),
    },
    undefined,
    1,
  ),
);
await harness.close();
await model.close();
await vite.close();
rmSync(workspace, { recursive: true, force: true });
