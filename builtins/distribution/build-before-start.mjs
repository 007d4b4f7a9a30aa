// Builds a cloned repository before its first `npm start`, and reports the progress. The published package already contains the build.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** The program, and the last file that the build writes, which is missing after an interrupted build. */
const outputs = ['dist/main.mjs', 'dist/cloud-guest/index.html'];

function build() {
  console.log('Building agent-harness (first start, about 30 s)…');
  const startedAt = performance.now();
  // On Windows, npm is a batch file, which only a shell can run.
  const { error, status, signal } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status === 0) return console.log(`Built in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
  const cause = error?.message ?? (signal ? `signal ${signal}` : `exit code ${status}`);
  console.error(`The build failed (${cause}). Run "npm ci" to install all dependencies, then "npm start" again. "npm run build" repeats only the build.`);
  process.exitCode = 1;
}

if (!outputs.every((path) => existsSync(join(root, path)))) build();
