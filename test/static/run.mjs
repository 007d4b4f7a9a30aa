// Runs all static checks in two parallel lanes, one per core.
import { spawn } from 'node:child_process';

/** Scripts of package.json. Lint takes as long as all others together. */
const lanes = [['lint'], ['format:check', 'typecheck', 'build', 'build:types', 'docs:check', 'check:package']];
const secondsSince = (startedAt) => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;

/** @returns exit code and complete output of the script */
function runScript(name) {
  return new Promise((resolve, reject) => {
    // On Windows npm is a batch file, which needs a shell.
    const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Stops at the first failed script, since later ones may need its output. */
async function runLane(names) {
  for (const [at, name] of names.entries()) {
    const startedAt = performance.now();
    const { code, output } = await runScript(name);
    if (code === 0) {
      console.log(`${name}: passed (${secondsSince(startedAt)})`);
      continue;
    }
    const skipped = names.slice(at + 1);
    console.error(`${name}: failed (${secondsSince(startedAt)})\n${output.trimEnd()}`);
    if (skipped.length > 0) console.error(`Not run after "${name}" failed: ${skipped.join(', ')}`);
    process.exitCode = 1;
    return;
  }
}

const startedAt = performance.now();
await Promise.all(lanes.map(runLane));
console.log(`Static checks ${process.exitCode === 1 ? 'failed' : 'passed'} in ${secondsSince(startedAt)}.`);
