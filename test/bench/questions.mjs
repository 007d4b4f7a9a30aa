// How often the ordinary tasks of the tests ask a person, with the rules about where text comes from and without them, and in how many of these questions the
// rules have a part: only these can be more. `node test/bench/questions.mjs [test files or folders …]`
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Those that run whole turns and real calls in this process; what attacks on purpose is counted elsewhere. */
const ordinary = [
  ...['files', 'shell', 'web', 'memory', 'vault', 'mcp', 'openapi', 'subagents', 'checkpoints', 'skills', 'artifacts', 'safety-judge'].map(
    (name) => `test/unit/builtins/${name}/`,
  ),
  ...['notes-around-turns'].map((name) => `test/system/e2e/${name}`),
  'test/unit/server/endpoints',
];
const files = process.argv.length > 2 ? process.argv.slice(2) : ordinary;

/** What was asked in all of the tests. */
function count(environment) {
  const folder = mkdtempSync(join(tmpdir(), 'harness-questions-'));
  const into = join(folder, 'questions.jsonl');
  writeFileSync(into, '');
  spawnSync('npx', ['vitest', 'run', '--reporter=dot', ...files], {
    env: { ...process.env, COUNT_QUESTIONS: into, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const questions = readFileSync(into, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true, force: true });
  return questions;
}

const without = count({ WITHOUT_BUILTINS: 'flow-rules' });
const asked = count({});
const byRules = asked.filter(({ reason }) => / (?:contains|carries out) (?:text|a secret|\S+) from /.test(reason));
console.log(
  JSON.stringify(
    { without: without.length, with: asked.length, byRules: byRules.length, reasons: byRules.map(({ name, reason }) => `${name}: ${reason}`) },
    undefined,
    1,
  ),
);
process.exitCode = asked.length === 0 || byRules.length > 0 ? 1 : 0;
