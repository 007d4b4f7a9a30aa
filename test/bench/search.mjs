// `node test/bench/search.mjs`: grep_files and find_files in 30,000 files beside ripgrep, in turn, so that both meet the same machine.
// `--files 5000` for another number, `--rounds 12`, `--json` prints JSON. Runs from the sources; without ripgrep it tells no ratio.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median, percentile, root } from './client.mjs';

const option = (name, fallback) => (process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : fallback);
const count = option('--files', 30_000);
const rounds = option('--rounds', 10);
const place = realpathSync(mkdtempSync(join(tmpdir(), 'bench-search-')));
const workspace = join(place, 'work');
const hasRipgrep = spawnSync('rg', ['--version']).status === 0;

/** The same tree in each run: lines of code, a needle in one file of 300. */
function makeTree() {
  let state = 7;
  const random = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const words = 'const let function return import export from value index result error path file name chat turn tool model stream event'.split(' ');
  for (let file = 0; file < count; file++) {
    const folder = join(workspace, `p${Math.floor(file / 1000)}`, `s${Math.floor(file / 20)}`);
    if (file % 20 === 0) mkdirSync(folder, { recursive: true });
    const lines = Array.from({ length: 10 + random(120) }, () => `  ${Array.from({ length: 3 + random(8) }, () => words[random(words.length)]).join(' ')};`);
    if (file % 300 === 0) lines[0] = `needle ${file}`;
    writeFileSync(join(folder, `f${file}.${['ts', 'md', 'json', 'txt'][file % 4]}`), `${lines.join('\n')}\n`);
  }
  writeFileSync(join(workspace, '.gitignore'), 'node_modules/\ndist/\n*.log\n/coverage\n.env*\n!.env.example\n');
  execFileSync('git', ['init', '-q'], { cwd: workspace });
}

async function openTools() {
  const outfile = join(place, 'tools.mjs');
  const from = (path) => `from ${JSON.stringify(join(root, path))};`;
  const contents = `
    export { createFileTools } ${from('builtins/tools/files/file-tools.ts')}
    export { createDecisions } ${from('builtins/tools/files/paths/decisions.ts')}
    export { createExactFiles } ${from('plugins/exact-files/exact-files.ts')}`;
  const require = "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);";
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    logLevel: 'silent',
    banner: { js: require },
  });
  const { createFileTools, createDecisions, createExactFiles } = await import(pathToFileURL(outfile).href);
  const home = join(place, 'home');
  const exactFiles = createExactFiles();
  const tools = createFileTools({ home, exactFiles, decisions: createDecisions({ home }), hasUndo: true });
  let calls = 0;
  return async (name, args) => {
    const outcome = await tools[name](args, { callId: `call_${calls++}`, workspaceRoot: workspace, signal: new AbortController().signal, progress() {} });
    if (!outcome.ok) throw new Error(outcome.error);
  };
}

const cases = [
  ['find_files', { pattern: '*.ts' }, ['--files', '-g', '*.ts']],
  ['find_files', { pattern: '**' }, ['--files']],
  ['grep_files', { pattern: 'needle' }, ['-n', 'needle']],
  ['grep_files', { pattern: 'NEEDLE', ignoreCase: true }, ['-n', '-i', 'NEEDLE']],
  ['grep_files', { pattern: 'zzznothing' }, ['-n', 'zzznothing']],
  ['grep_files', { pattern: 'fun\\w+ion.*chat' }, ['-n', 'fun\\w+ion.*chat']],
  ['grep_files', { pattern: '[0-9]{9}' }, ['-n', '[0-9]{9}']],
];

try {
  makeTree();
  const run = await openTools();
  const rows = [];
  const timed = async (work) => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  for (const [name, args, theirs] of cases) {
    const ours = [];
    const others = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await timed(() => run(name, args)));
      if (hasRipgrep) others.push(await timed(() => spawnSync('rg', ['--no-config', ...theirs], { cwd: workspace, stdio: ['ignore', 'ignore', 'ignore'] })));
    }
    const ratio = hasRipgrep ? Number((median(ours) / median(others)).toFixed(2)) : undefined;
    rows.push({
      tool: name,
      pattern: args.pattern,
      ms: Math.round(median(ours)),
      fastest: Math.round(percentile(ours, 0)),
      ripgrep: Math.round(median(others)),
      ratio,
    });
  }
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else console.table(rows);
} finally {
  rmSync(place, { recursive: true, force: true });
}
