// Documents name test files that exist, and the changelog has its form.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../helpers/sources.ts';

const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
const documents = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', ...inDocs].filter((name) => name.endsWith('.md'));
/** Not `test/unit/FILE`, which stands for any file, and no pattern. */
const testPath = /(?<![\w/-])test\/(?:unit|smoke|system|soak|helpers|bench|docs|fixtures|types)\/[\w./-]*[\w-](?![\w*/])/g;

/** A document may leave out the end of a file name, as in `test/unit/plugins/http/local`. */
function isThere(path: string): boolean {
  if (existsSync(join(root, path))) return true;
  const folder = join(root, dirname(path));
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(`${basename(path)}.`));
}

test('each test file that a document names is there', () => {
  const missing = documents.flatMap((name) => {
    const paths = readFileSync(join(root, name), 'utf8').match(testPath) ?? [];
    return paths.filter((path) => !/^test\/unit\/FILE$/.test(path) && !isThere(path)).map((path) => `${name}: ${path}`);
  });
  expect(missing).toEqual([]);
});

test('the newest version of the changelog is the version of the package, with at most 30 lines for each audience', () => {
  const [, newest = ''] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## (?=\d)/m);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(newest).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)`));
  const sections = newest.split(/^### /m).slice(1, 4);
  expect(sections.map((section) => section.split('\n')[0])).toEqual(['For users', 'For plugin authors', 'For operators']);
  for (const section of sections) expect(section.match(/^- /gm)?.length).toBeLessThanOrEqual(30);
});
