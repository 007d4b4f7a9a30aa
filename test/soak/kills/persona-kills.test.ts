// Kills a process while it changes the persona: the old or the new persona remains complete, on disk and after the next start.
// `PERSONA_KILLS=all npx vitest run test/soak/kills/persona-kills.test.ts` kills at every step of every change; otherwise at a sample chosen by SEED.
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEventStream } from '../../helpers/event-stream.ts';
import { startHarness } from '../../helpers/harness.ts';
import { runProgram } from '../../helpers/program.ts';
import { rollDice } from './crash-bench.ts';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}

const isWhole = process.env['PERSONA_KILLS'] === 'all';
const killsOfEach = 2;
/** Short sample: one change for each way of writing. */
const few = ['the first persona', 'an edit next to a pending text', 'deleting everything'];
const dice = rollDice();
const builtins = ['persona', 'persona-theme', 'model-demo'];
const environment = { AGENT_PERSONA_BOOTSTRAP_ALLOW_SKIP: '1' };
const foreign = 'Like an old sailor.\n';

const post = (path: string, body: object): Request => ({ method: 'POST', path, body });
const bootstrap = post('/api/persona/bootstrap', { input: 'Dry and brief, named Kea.' });
const again = post('/api/persona/bootstrap', { input: 'Warm and thorough, named Moa.' });
const edit: Request = { method: 'PUT', path: '/api/persona/slices/voice', body: { text: 'Like rain.', base: 1 } };
const hash = createHash('sha256').update(foreign).digest('hex');

interface Change {
  readonly name: string;
  readonly earlier: readonly Request[];
  readonly change: Request;
  readonly isForeign?: true;
}

const changes: readonly Change[] = [
  { name: 'the first persona', earlier: [], change: bootstrap },
  { name: 'another persona', earlier: [bootstrap], change: again },
  { name: 'skipping', earlier: [], change: post('/api/persona/bootstrap', { skip: true }) },
  { name: 'an edit', earlier: [bootstrap], change: edit },
  { name: 'an edit next to a pending text', earlier: [bootstrap], change: { ...edit, path: '/api/persona/slices/stance' }, isForeign: true },
  { name: 'restoring one section', earlier: [bootstrap, edit], change: post('/api/persona/slices/voice/revert', { version: 1 }) },
  { name: 'restoring all sections', earlier: [bootstrap, edit], change: post('/api/persona/revert', { version: 1 }) },
  { name: 'removing the persona', earlier: [bootstrap], change: post('/api/persona/bootstrap', { input: 'reset' }) },
  { name: 'a theme', earlier: [bootstrap], change: { method: 'PUT', path: '/api/persona/theme', body: { theme: null } } },
  { name: 'importing a file', earlier: [bootstrap], change: post('/api/persona/slices/voice/outside', { hash, take: true }), isForeign: true },
  { name: 'deleting everything', earlier: [bootstrap], change: post('/api/session/reset', { mode: 'hard' }) },
];

let folder: string;
let made = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'persona-kills-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function runChild(home: string, requests: readonly Request[], step: number): Promise<string[]> {
  const { code, out, err } = await runProgram([home, JSON.stringify(requests), String(step)], {
    main: join(import.meta.dirname, 'persona-child.mjs'),
    environment: { HOME: home, AGENT_WORKSPACE_ROOT: home, ...environment },
  });
  if (code !== 0 && code !== 'SIGKILL') throw new Error(`the child ended with ${code}: ${err}`);
  return out.split('\n').filter((line) => line !== '');
}

async function stateOf(home: string): Promise<any> {
  const harness = await startHarness({ home, workspace: home, builtins, environment, listen: false });
  const { bootstrap: asked, ...state } = await harness.kernel.resolve('persona').read();
  await harness.close({ keepFiles: true });
  return { ...state, asked: asked.state };
}

/** After the kill the folder on disk is empty or matches its manifest, apart from a file with external edits. */
async function expectWhole(home: string): Promise<void> {
  const active = join(home, 'persona', 'active');
  const manifest = await readFile(join(active, 'manifest.json'), 'utf8').catch(() => undefined);
  if (manifest === undefined) return expect(await readdir(active).catch(() => [])).toEqual([]);
  for (const [path, expected] of Object.entries(JSON.parse(manifest).files)) {
    const text = await readFile(join(active, path), 'utf8');
    if (text !== foreign) expect([path, createHash('sha256').update(text).digest('hex')]).toEqual([path, expected]);
  }
}

async function copyOf(home: string): Promise<string> {
  const copy = join(folder, `home-${made++}`);
  await cp(home, copy, { recursive: true });
  return copy;
}

test.each(changes.filter(({ name }) => isWhole || few.includes(name)))(
  'keeps the old or the new persona when killed during $name',
  { timeout: 1_800_000 },
  async ({ earlier, change, isForeign }) => {
    const start = join(folder, `start-${made++}`);
    const [done = ''] = (await runChild(start, earlier, 0)).slice(-1);
    expect(done).toMatch(/^done/);
    if (isForeign) await writeFile(join(start, 'persona', 'active', 'soul', 'voice.md'), foreign);
    const whole = await copyOf(start);
    const steps = Number((await runChild(whole, [change], 0)).at(-1)?.replace('done ', ''));
    expect(steps).toBeGreaterThan(3);
    const [before, after] = [await stateOf(await copyOf(start)), await stateOf(whole)];
    expect(after).not.toEqual(before);

    const all = Array.from({ length: steps }, (__, at) => at + 1);
    const chosen = isWhole ? all : Array.from({ length: killsOfEach }, () => 1 + dice.below(steps));
    for (const step of chosen) {
      const home = await copyOf(start);
      const output = await runChild(home, [change], step);
      await expectWhole(home);
      const state = await stateOf(home);
      const isBefore = JSON.stringify(state) === JSON.stringify(before);
      expect(isBefore ? before : state, `step ${step} of ${steps}`).toEqual(isBefore ? before : after);
      const wasAccepted = output.includes('accepted');
      if (wasAccepted && isBefore && 'input' in change.body) await expectTakenUp(home, after);
      else if (wasAccepted) expect(state, `accepted, step ${step} of ${steps}`).toEqual(after);
      await expectWhole(home);
      await rm(home, { recursive: true, force: true });
    }
  },
);

/** An accepted change that was not yet made is made by the next server. */
async function expectTakenUp(home: string, after: any): Promise<void> {
  const harness = await startHarness({ home, workspace: home, builtins, environment });
  const stream = await openEventStream(harness, { chatId: 'all' });
  const { label } = await harness.kernel.resolve('persona').read();
  if (label !== after.label) await stream.until((event) => event.kind === 'persona_progress' && event['stage'] === 'done');
  stream.close();
  await harness.close({ keepFiles: true });
  expect(await stateOf(home)).toEqual(after);
}
