// Runs the unit tests affected by a change: `npm run test:changed [-- BASE]`. BASE is a commit and defaults to HEAD.
// Selects tests that changed, import a changed file (also indirectly) or are in the folder of a changed plugin, and all architecture tests.
// Plugins that a test loads by name do not count: `npm test` runs everything.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const [base = 'HEAD'] = process.argv.slice(2);
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];

const isCode = (path) => /\.(ts|tsx|mts|mjs|js)$/.test(path);
const files = ['kernel', 'plugins', 'builtins', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name))
    .filter((path) => isCode(path) && !path.includes('/node_modules/')),
);

/** The project's own package names, each with its source file. */
const ownNames = [
  [/^agent-harness\/kernel$/, () => 'kernel/index.ts'],
  [/^agent-harness\/lib\/(.+)$/, (name) => `plugins/lib/${name}.ts`],
  [/^agent-harness\/(plugins|builtins)\/(.+)$/, (folder, name) => `${folder}/${name}/contract.ts`],
  [/^#(page|guest)\/(.+)$/, (which, name) => `${which === 'page' ? 'builtins/clients/web-ui/app' : 'builtins/desktop/remote/guest'}/${name}`],
];

/** Resolves an import in `path` to a project file. Returns `undefined` for packages. */
function resolveImport(path, name) {
  if (name.startsWith('.')) return posix.join(posix.dirname(path), name);
  for (const [pattern, file] of ownNames) {
    const match = pattern.exec(name);
    if (match) return file(...match.slice(1));
  }
  return undefined;
}

const importers = new Map();
for (const path of files) {
  const text = readFileSync(path, 'utf8');
  for (const [, name] of text.matchAll(/(?:^(?:import|export)(?! type\b)[^'"\n]*?|^} from |\bimport\()\s*['"]([^'"\n]+)['"]/gm)) {
    const target = resolveImport(path, name);
    if (target === undefined) continue;
    if (!importers.has(target)) importers.set(target, new Set());
    importers.get(target).add(path);
  }
}

const reached = new Set(changed);
for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
const isUnitTest = (path) => path.startsWith('test/unit/') && path.endsWith('.test.ts') && existsSync(path);
const tests = new Set([...reached].filter(isUnitTest));

for (const path of changed) {
  let folder = dirname(path);
  while (/^(plugins|builtins)\/./.test(folder) && !existsSync(join(folder, 'index.ts'))) folder = dirname(folder);
  const own = `test/unit/${folder.split('/')[0]}/${posix.basename(folder)}`;
  if (/^(plugins|builtins)\/./.test(folder) && existsSync(own) && statSync(own).isDirectory())
    for (const test of files) if (test.startsWith(`${own}/`) && isUnitTest(test)) tests.add(test);
}

if (!changed.some(isCode) && !changed.some((path) => /\.(json|css)$/.test(path))) {
  console.log(changed.length === 0 ? `Nothing changed since ${base}.` : 'Only documents changed: checking their format.');
  const documents = changed.filter((path) => path.endsWith('.md') && existsSync(path));
  process.exit(documents.length === 0 ? 0 : (spawnSync('npx', ['prettier', '--check', ...documents], { stdio: 'inherit' }).status ?? 1));
}
for (const test of files) if (test.startsWith('test/unit/architecture/') && isUnitTest(test)) tests.add(test);
console.log(`${changed.length} changed files, ${tests.size} test files`);
process.exit(spawnSync('npx', ['vitest', 'run', '--project', 'unit', ...tests], { stdio: 'inherit' }).status ?? 1);
