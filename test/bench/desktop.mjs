// How long `app desktop` takes until a person can type, from the start of the program: `npm run build` first, then `node test/bench/desktop.mjs [rounds]`.
// Needs Xvfb. A plugin in the home folder looks at the page through the window's own session, as the window has no port that others could look through.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

const rounds = Number(process.argv[2] ?? 7);
const main = join(import.meta.dirname, '../../dist/main.mjs');

const watcher = `
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const manifest = { name: 'watcher', requires: ['desktopWindow'] };
export function register(registry) {
  registry.services.desktopWindow.watch(async (window) => {
    const page = await window.session();
    const expression = \`(() => { const field = document.querySelector('textarea, [role=textbox]'); return Boolean(field && !field.disabled && field.offsetHeight > 0); })()\`;
    for (;;) {
      const { result } = await page.send('Runtime.evaluate', { expression }).catch(() => ({ result: {} }));
      if (result.value === true) break;
      await sleep(5);
    }
    const usable = Date.now();
    const { result } = await page.send('Runtime.evaluate', { expression: 'performance.timeOrigin' });
    process.stdout.write('usable ' + JSON.stringify({ usable, asked: result.value }) + '\\n');
  });
}
`;

const place = await mkdtemp(join(tmpdir(), 'desktop-bench-'));
const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
const [number] = await once(screen.stdio[3].setEncoding('utf8'), 'data');
try {
  const home = join(place, '.app');
  await mkdir(join(home, 'plugins'), { recursive: true });
  await writeFile(join(home, 'plugins', 'watcher.mjs'), watcher, { mode: 0o600 });
  const cold = await startOnce(home, number.trim());
  const warm = [];
  for (let round = 0; round < rounds; round++) warm.push(await startOnce(home, number.trim()));
  warm.sort((a, b) => a.usable - b.usable);
  const ms = (value) => `${Math.round(value)} ms`.padStart(8);
  process.stdout.write(`first start, nothing kept   ${ms(cold.usable)}   <= 2500 ms\n`);
  process.stdout.write(`warm, median of ${String(rounds).padEnd(3)}         ${ms(warm[rounds >> 1].usable)}   <= 1200 ms\n`);
  process.stdout.write(`warm, fastest and slowest   ${ms(warm[0].usable)} ${ms(warm.at(-1).usable)}\n`);
  process.stdout.write(`… page asked for (median)   ${ms(warm[rounds >> 1].asked)}\n`);
  process.stdout.write(
    `load average ${loadavg()
      .map((one) => one.toFixed(1))
      .join(', ')}\n`,
  );
} finally {
  screen.kill('SIGKILL');
  await rm(place, { recursive: true, force: true, maxRetries: 5 });
}

async function startOnce(home, display) {
  const env = { PATH: process.env.PATH, HOME: place, APP_HOME: home, AGENT_WORKSPACE_ROOT: place, DISPLAY: `:${display}`, AGENT_PERSONA_BOOTSTRAP: '0' };
  const started = Date.now();
  const child = spawn(process.execPath, [main, 'desktop'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  const usable = await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const found = /^usable (.*)$/m.exec(said);
      if (found) resolve(JSON.parse(found[1]));
    });
    child.once('exit', () => reject(new Error(`ended without a window: ${said}`)));
  });
  child.removeAllListeners('exit');
  // What belongs to the next start is written a moment after this one.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return { usable: usable.usable - started, asked: usable.asked - started };
}
