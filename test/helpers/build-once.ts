// Builds before the first test if the build is missing or older than the sources.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { whileNobodyBuilds } from './build-lock.ts';

const root = join(import.meta.dirname, '../..');

export default function buildOnce(): Promise<void> {
  return whileNobodyBuilds(buildLate);
}

async function buildLate(): Promise<void> {
  // Thread code may have been built separately.
  const built = newest(join(root, 'dist/main.mjs'));
  const sources = Math.max(...['kernel', 'plugins', 'builtins', 'tsup.config.ts', 'package.json'].map((name) => newest(join(root, name))));
  // Same as `npm run build`. The page is built second because the first build empties the folder.
  if (built >= sources) return;
  const [code] = (await once(spawn('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' }), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The build ended with ${code}.`);
}

function newest(path: string): number {
  try {
    const stat = statSync(path);
    if (!stat.isDirectory()) return stat.mtimeMs;
    return Math.max(0, ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(path, name)).mtimeMs));
  } catch {
    return 0;
  }
}
