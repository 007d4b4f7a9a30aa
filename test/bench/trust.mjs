// What it costs to be able to trust a turn: the built server with everything that knows where text came from, records, replays, tries,
// takes back and forecasts, beside the same server without, in turn within one run. Start, first turn, one more round of a tool, memory.
// node test/bench/trust.mjs [rounds]
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, freePort, median, readEvents, root, startModel, startServer } from './client.mjs';

const rounds = Number(process.argv[2] ?? 7);
const toolRounds = 40;
/** Without those, nothing of it is there. Undo of files is older than the rest and stays in both. */
const trust = ['origins', 'flow-rules', 'effect-preview', 'rule-trials', 'replay', 'forecast', 'why', 'support-file'];

const place = mkdtempSync(join(tmpdir(), 'bench-trust-'));
const workspace = join(place, 'work');
mkdirSync(workspace);
for (let at = 0; at < 60; at++) writeFileSync(join(workspace, `note-${at}.txt`), `line of ${at}\n`.repeat(40));
/** The same stock distribution in one module, built without them from the sources that git knows. */
function buildWithout() {
  const folder = join(place, 'source');
  const paths = execFileSync(
    'git',
    ['ls-files', '-z', '--', ...['kernel', 'plugins', 'builtins', 'package.json', 'tsup*', 'tsconfig*', 'README.md', 'test/types']],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  for (const path of paths.split('\0').filter((one) => one !== '' && existsSync(join(root, one)))) cpSync(join(root, path), join(folder, path));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const stock = join(folder, 'builtins/distribution/stock.ts');
  const isLeftOut = (line) => trust.some((name) => line.startsWith(`  '${name}',`));
  writeFileSync(
    stock,
    readFileSync(stock, 'utf8')
      .split('\n')
      .filter((line) => !isLeftOut(line))
      .join('\n'),
  );
  execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
  return join(folder, 'dist/main.mjs');
}

const model = await startModel();

async function turn(server, text) {
  const began = performance.now();
  await readEvents(`${server.url}/api/stream?chatId=all`, {
    token: server.token,
    onOpen: () => void call(`${server.url}/api/message`, { method: 'POST', token: server.token, body: { text } }),
    onEvent: ({ kind }) => kind === 'turn_end',
  });
  return performance.now() - began;
}

async function measure(main, number) {
  const home = join(place, `home-${number}`);
  mkdirSync(home);
  const environment = {
    PORT: String(await freePort()),
    AGENT_API_BASE_URL: model.url,
    AGENT_API_KEY: 'bench',
    AGENT_MODEL: 'bench',
    AGENT_MAX_STEPS: '200',
  };
  const server = await startServer({ home, workspace, environment, program: [main, 'serve'] });
  try {
    const readyMs = await server.ready();
    const firstTurnMs = await turn(server, 'rounds 1');
    await turn(server, 'rounds 20');
    const cpuBefore = server.cpu();
    const one = [];
    for (let again = 0; again < 3; again++) one.push(((await turn(server, `rounds ${toolRounds}`)) - (await turn(server, 'rounds 0'))) / toolRounds);
    const cpu = (server.cpu() - cpuBefore) / (3 * toolRounds);
    const busyMb = server.memory();
    // What is garbage is given back when nothing has run for a while.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    return { startMs: server.startMs, readyMs, firstTurnMs, roundMs: median(one), roundCpuMs: cpu, busyMb, idleMb: server.memory() };
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

try {
  const main = { without: buildWithout(), with: join(root, 'dist/main.mjs') };
  // What is kept compiled is made by the first start of each.
  for (const name of Object.keys(main)) await measure(main[name], `warm-${name}`);
  const taken = { without: [], with: [] };
  for (let round = 0; round < rounds; round++) {
    taken.without.push(await measure(main.without, `a${round}`));
    taken.with.push(await measure(main.with, `b${round}`));
  }
  const of = (name, what) => median(taken[name].map((one) => one[what]));
  for (const what of Object.keys(taken.with[0])) {
    const [without, all] = [of('without', what), of('with', what)];
    console.log(
      `${what.padEnd(12)} without ${without.toFixed(2).padStart(8)}  with ${all.toFixed(2).padStart(8)}  more ${(all - without).toFixed(2)} (${((all / without - 1) * 100).toFixed(1)} %)`,
    );
  }
} finally {
  model.stop();
  rmSync(place, { recursive: true, force: true });
}
