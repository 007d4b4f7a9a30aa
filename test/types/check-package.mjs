// Packs the package, installs the tarball into an empty folder and verifies the promises of the README:
// the command, a turn, a typed import, the distribution, the plugin. Run after `npm run build && npm run build:types`.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
const place = mkdtempSync(join(tmpdir(), 'package-'));
const home = join(place, 'home');
const folder = join(place, 'app');
const environment = { PATH: process.env.PATH, HOME: home, PORT: '0' };
/** Size limit of node_modules, in megabytes. */
const installLimit = 44;

const run = (command, args, options = {}) => execFileSync(command, args, { cwd: folder, env: environment, stdio: 'pipe', encoding: 'utf8', ...options });
const app = (...args) => run(join(folder, 'node_modules/.bin/app'), args);
const say = (text) => process.stdout.write(`${text}\n`);
function demand(holds, sentence) {
  if (!holds) throw new Error(sentence);
}

function pack() {
  const [{ filename, files }] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', place], { cwd: root, env: process.env }));
  const names = files.map(({ path }) => path);
  const pictures = names.filter((name) => /\.(png|jpe?g|gif|webp)$/i.test(name) && !name.startsWith('dist/web/'));
  demand(pictures.length === 0, `pictures are packed: ${pictures.join(', ')}`);
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((one) => /^(plugins|builtins)\/[^.]*\/contract\.ts$/.test(one))) {
    const types = `dist/types/${path.replace(/\.ts$/, '.d.ts')}`;
    demand(names.includes(types), `${types} is not packed`);
  }
  demand(names.includes('dist/sbom.cdx.json'), 'the list of bundled packages (dist/sbom.cdx.json) is not packed');
  checkSbom();
  say(`packed: ${names.length} files`);
  return { tarball: join(place, filename), names };
}

/** Checks that each bundled package has the version of npm-shrinkwrap.json, and that the essential packages are listed. */
function checkSbom() {
  const { packages } = JSON.parse(readFileSync(join(root, 'npm-shrinkwrap.json'), 'utf8'));
  const installed = new Set(Object.entries(packages).map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`));
  const { components } = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8'));
  const foreign = components.filter(({ name, version }) => !installed.has(`${name}@${version}`));
  demand(foreign.length === 0, `bundled and not in npm-shrinkwrap.json: ${foreign.map(({ purl }) => purl).join(', ')}`);
  const missing = ['ajv', 'awilix', 'fastify', 'jose', 'mermaid', 'react', 'tapable', 'ws'].filter((name) => !components.some((one) => one.name === name));
  demand(missing.length === 0, `not in dist/sbom.cdx.json: ${missing.join(', ')}`);
}

function install(tarball) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const said = execFileSync('sh', ['-c', 'npm install --engine-strict --prefer-offline --no-audit --no-fund "$0" 2>&1', tarball], {
    cwd: folder,
    encoding: 'utf8',
  });
  demand(!/EBADENGINE|Unsupported engine/.test(said), said);
  const bytes = (path) =>
    readdirSync(path, { withFileTypes: true, recursive: true }).reduce(
      (sum, one) => (one.isFile() ? sum + statSync(join(one.parentPath ?? one.path, one.name)).size : sum),
      0,
    );
  const megabytes = bytes(join(folder, 'node_modules')) / 1e6;
  demand(megabytes <= installLimit, `the installation takes ${megabytes.toFixed(1)} MB, more than ${installLimit}`);
  say(`installed: ${megabytes.toFixed(1)} MB`);
}

function useCommand() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  demand(run('npx', ['app', '--version']).trim() === version, 'npx app does not say its version');
  writeFileSync(join(folder, 'seen.txt'), 'here');
  demand(app('run', 'list the files').includes('Done'), 'app run does not answer');
  demand(run(process.execPath, ['-e', "import('agent-harness').then((all) => process.stdout.write(typeof all.runDistribution))"]) === 'function', 'no import');
  say('command and import: ok');
}

/** The embedded database is an optional installation for operators. Everything else is packed. */
function useControlPlane() {
  demand(app('control-plane', '--help').includes('backup <file>'), 'app control-plane --help does not list its commands');
  try {
    app('control-plane', '--port', '0');
  } catch (fault) {
    const said = String(fault.stderr);
    demand(fault.status === 1 && said.includes('npm install @electric-sql/pglite@'), `without the embedded database it says: ${said}`);
    return say('control plane: ok');
  }
  throw new Error('the embedded database was installed, too');
}

function readmeBlock(part) {
  const found = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/```js\n([^]*?)```/g)].find(([, code]) => code.includes(part));
  demand(found, `README shows no code with '${part}'`);
  return found[1];
}

function usePlugin() {
  mkdirSync(join(home, '.app/plugins'), { recursive: true });
  writeFileSync(join(home, '.app/plugins/dice.mjs'), readmeBlock('roll_dice'));
  demand(/You rolled [1-6]\./.test(app('run', '/call roll_dice {"sides":6}')), "README's plugin does not work");
  say('plugin: ok');
}

async function useDistribution() {
  writeFileSync(join(folder, 'acorn.mjs'), readmeBlock("name: 'acorn'"));
  const child = spawn(process.execPath, ['acorn.mjs', 'serve'], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = await new Promise((resolve, reject) => {
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        said += text;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (found) resolve(found[0]);
      });
      child.once('exit', () => reject(new Error(`the distribution ended: ${said}`)));
    });
    const page = await fetch(url);
    demand(page.status === 200 && (await page.text()).includes('acorn-web-auth'), "README's distribution serves no page of its own name");
    demand(run(process.execPath, ['acorn.mjs', 'run', 'hello']).trim() !== '', "README's distribution does not answer");
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
  say('distribution: ok');
}

/** Type-checks the consumer in strict mode, with every exported contract. */
function checkTypes(names) {
  const consumer = join(folder, 'consumer');
  cpSync(join(root, 'test/types/consumer'), consumer, { recursive: true });
  const contracts = names.flatMap((name) => /^dist\/types\/((?:plugins|builtins)\/.+)\/contract\.d\.ts$/.exec(name)?.[1] ?? []);
  writeFileSync(join(consumer, 'contracts.ts'), contracts.map((name) => `import type {} from 'agent-harness/${name}';\n`).join(''));
  for (const name of ['@types', 'typescript']) {
    rmSync(join(consumer, 'node_modules', name), { recursive: true, force: true });
    mkdirSync(join(consumer, 'node_modules'), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(consumer, 'node_modules', name));
  }
  run(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', 'tsconfig.json'], { cwd: consumer, stdio: 'inherit' });
  say(`types: ok (${contracts.length} contracts)`);
}

try {
  for (const path of [home, folder]) mkdirSync(path, { recursive: true });
  const { tarball, names } = pack();
  install(tarball);
  useCommand();
  usePlugin();
  useControlPlane();
  await useDistribution();
  checkTypes(names);
} catch (fault) {
  process.stderr.write(`${relative(root, import.meta.filename)}: ${fault.message}\n${fault.stdout ?? ''}${fault.stderr ?? ''}\n`);
  process.exitCode = 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}
