// `npm run test:nodes`: the unit and end-to-end tests under each Node that the package supports, one after the other, each from
// npm's package `node` (kept in `node_modules/.cache`: sandboxes hide the temporary folder). `npm run test:nodes -- 24 test/smoke/main-path.test.ts`: only that Node, only those files.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const supported = ['20', '22', '24'];
const asked = process.argv.slice(2);
const versions = asked.filter((one) => supported.includes(one));
const files = asked.filter((one) => !supported.includes(one));
const projects = ['kernel', 'plugins', 'e2e'].flatMap((name) => ['--project', name]);

/** Answers the path of that Node. */
function installNode(version) {
  const folder = join(root, 'node_modules/.cache', `node-${version}`);
  // What npm's `node` installs by a script of its own.
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

let failed = 0;
for (const version of versions.length > 0 ? versions : supported) {
  const program = installNode(version);
  process.stdout.write(`\n== Node ${spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim()}\n`);
  const { status } = spawnSync(program, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...(files.length > 0 ? files : projects)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` },
  });
  if (status !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
