// `npm run soak` runs every soak, `npm run soak NAME…` runs those, `npm run soak list` lists them with their coverage.
// Run a soak after changing what it covers. It takes minutes to hours, so no gate runs it. It stops at the first failure
// and prints the seed that repeats it (`SEED=… npm run soak NAME`). `SCALE=0.1` runs a tenth of each count.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const seed = process.env.SEED ?? String(randomInt(2 ** 31));
const scale = Number(process.env.SCALE ?? 1);
const count = (number) => String(Math.max(1, Math.round(number * scale)));

function randomTests() {
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  return tests.map((name) => `test/${name}`).filter((file) => !file.startsWith('test/soak/') && /dice\.ts'/.test(readFileSync(join(root, file), 'utf8')));
}

/** Each soak runs its test files, or its program, once. `env` raises their counts. */
const soaks = {
  kills: {
    covers: 'the server, a control plane or a store is killed at every step of a write; after the next start nothing acknowledged is lost, half or doubled',
    files: ['test/soak/kills'],
    env: { KILLS: count(20), ROUNDS: count(4), SPEECH_KILLS: count(20), PERSONA_KILLS: scale < 1 ? 'sample' : 'all' },
  },
  undo: {
    covers: 'random turns over files, notes, persona, plan, settings and plugin state, changed by hand in between, are undone; the result equals a model',
    files: ['test/unit/builtins/checkpoints/random-turns.test.ts', 'test/soak/fuzz/dream-undo.test.ts'],
    env: { TURNS: count(1000), UNDONE_RUNS: count(100) },
  },
  replay: {
    covers: 'random turns are replayed from their record and from their support file, byte for byte',
    files: ['test/unit/builtins/replay/random-turns.test.ts'],
    env: { TURNS: count(300) },
  },
  rules: {
    covers: 'what is reported about a rule before it holds equals what happens once it holds, over random histories',
    files: ['test/unit/builtins/rule-trials/reported-and-real.test.ts'],
    env: { HISTORIES: count(100) },
  },
  fuzz: {
    covers: 'thousands of wrong, odd and right HTTP requests, model streams, compressed chats and sync histories',
    files: ['test/soak/fuzz'],
    env: { HISTORIES: count(1000) },
  },
  random: { covers: 'the random tests of the other tiers from a new seed', files: randomTests() },
  plugins: { covers: 'hostile and broken plugins in each place where a plugin can run', files: ['test/soak/plugins'] },
  injection: {
    covers: 'a model that obeys every order it reads, over 32 channels, some 140 payloads and 60 tasks; nothing harmful runs without an approval',
    files: ['test/soak/injection'],
    env: { TASKS: count(60) },
  },
  races: {
    covers: 'processes that share a home, an editor that cancels at every point of a turn',
    files: ['test/soak/races', 'test/unit/builtins/team-policy/first-starts.test.ts'],
    env: { ACP_CANCELS: count(1000), FIRST_STARTS: count(200) },
  },
  schemas: {
    covers: 'JSON-Schema-Test-Suite through the path of MCP tools; needs JSON_SCHEMA_TEST_SUITE=FOLDER, a clone of json-schema-org/JSON-Schema-Test-Suite',
    files: ['test/soak/schemas'],
  },
  recall: {
    covers: 'evidence of the questions of LoCoMo among one note per turn; needs LOCOMO=FOLDER, the unpacked data of snap-research/locomo',
    files: ['test/soak/recall'],
  },
  desktop: {
    covers: 'the desktop app is started and ended in every way; no process stays',
    files: ['test/soak/desktop'],
    env: { DESKTOP_CYCLES: count(100) },
  },
  memory: { covers: 'memory growth over long turns, bursts and plugins that allocate', files: ['test/soak/memory'] },
  audio: { covers: 'speech in real time: barge-in through a microphone that hears the reply', files: ['test/soak/audio'] },
  browser: { covers: 'a thousand texts pass between a computer and its phone or guest; no node between keeps one', files: ['test/soak/browser'] },
  nodes: { covers: 'the built program, the unit and the smoke tests on each supported Node version', program: 'test/soak/nodes/run.mjs' },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== 'list' && !Object.hasOwn(soaks, name));
if (unknown.length > 0 || asked.includes('list')) {
  if (unknown.length > 0) process.stderr.write(`Unknown soak: ${unknown.join(', ')}. Available:\n`);
  for (const [name, { covers }] of Object.entries(soaks)) process.stdout.write(`  ${name.padEnd(9)} ${covers}\n`);
  process.exit(unknown.length > 0 ? 1 : 0);
}

const outcomes = [];
for (const name of asked.length > 0 ? asked : Object.keys(soaks)) {
  const { covers, files, env = {}, program } = soaks[name];
  process.stdout.write(`\nsoak ${name} (SEED=${seed}): ${covers}\n`);
  const startedAt = Date.now();
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, CI: 'true', SEED: seed, ...env } };
  const [command, args] = program === undefined ? ['npx', ['vitest', 'run', ...files, '--disable-console-intercept']] : [process.execPath, [program]];
  const failed = spawnSync(command, args, options).status !== 0;
  outcomes.push(
    `soak ${name}: ${failed ? `failed, repeat with SEED=${seed} npm run soak ${name}` : 'passed'} in ${Math.round((Date.now() - startedAt) / 1000)} s`,
  );
  if (failed) break;
}
process.stdout.write(`\n${outcomes.join('\n')}\n`);
process.exitCode = outcomes.some((line) => line.includes('failed')) ? 1 : 0;
