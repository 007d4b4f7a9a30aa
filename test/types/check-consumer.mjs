// Packs the package, installs the tarball beside a small consumer, and type-checks that consumer strictly.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const place = mkdtempSync(join(tmpdir(), 'consumer-'));
const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
try {
  const tarball = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', place], root))[0].filename;
  cpSync(join(root, 'test/types/consumer'), place, { recursive: true });
  const installed = join(place, 'node_modules/agent-harness');
  mkdirSync(installed, { recursive: true });
  run('tar', ['-xzf', join(place, tarball), '-C', installed, '--strip-components=1'], place);
  // What a consumer gets from the registry, taken from here.
  for (const name of ['typebox', 'fastify', '@types', 'typescript']) symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name));
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'], place);
  process.stdout.write('consumer types: ok\n');
} finally {
  rmSync(place, { recursive: true, force: true });
}
