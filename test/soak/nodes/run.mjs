// Runs the built program, then the unit and smoke tests, on each supported Node version in turn. The versions come from npm's
// package `node` (stored in `node_modules/.cache`, because sandboxes hide the temporary folder).
// `node test/soak/nodes/run.mjs 24 FILE…` runs those test files on that version.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const supported = ['20', '22', '24'];
const asked = process.argv.slice(2);
const versions = asked.filter((one) => supported.includes(one));
const files = asked.filter((one) => !supported.includes(one));
const cache = join(root, 'node_modules/.cache');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** Installs that Node version if it is missing. Returns the path of its program. */
function installNode(version) {
  const folder = join(cache, `node-${version}`);
  // npm's `node` installs this package with an install script.
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: folder, stdio: 'inherit' });
    if (status !== 0 || !existsSync(program)) throw new Error(`node ${version} could not be installed`);
  }
  return program;
}

function runTests(program, path, args) {
  const env = { ...process.env, PATH: `${path}${delimiter}${process.env.PATH}` };
  return spawnSync(program, [vitest, 'run', ...args], { cwd: root, stdio: 'inherit', env }).status === 0;
}

const chosen = versions.length > 0 ? versions : supported;
const programs = new Map(chosen.map((version) => [version, installNode(version)]));
let hasFailed = false;
if (asked.length === 0) {
  const bin = join(cache, 'nodes-bin');
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin, { recursive: true });
  for (const [version, program] of programs) symlinkSync(program, join(bin, `node${version}`));
  hasFailed = !runTests(process.execPath, bin, ['test/soak/nodes']);
}
for (const [version, program] of programs) {
  process.stdout.write(`\n== Node ${version}\n`);
  const passed = runTests(program, dirname(program), files.length > 0 ? files : ['--project', 'unit', '--project', 'smoke']);
  hasFailed ||= !passed;
}
process.exitCode = hasFailed ? 1 : 0;
