// Checks that documents name existing test files and that the changelog has the required format.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../helpers/sources.ts';

const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
const documents = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', ...inDocs].filter((name) => name.endsWith('.md'));
/** Excludes the placeholder `test/unit/FILE` and glob patterns. */
const testPath = /(?<![\w/-])test\/(?:unit|smoke|system|soak|helpers|bench|docs|fixtures|types)\/[\w./-]*[\w-](?![\w*/])/g;

/** A document may omit the end of a file name, as in `test/unit/plugins/http/local`. */
function isThere(path: string): boolean {
  if (existsSync(join(root, path))) return true;
  const folder = join(root, dirname(path));
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(`${basename(path)}.`));
}

test('every test file named in a document exists', () => {
  const missing = documents.flatMap((name) => {
    const paths = readFileSync(join(root, name), 'utf8').match(testPath) ?? [];
    return paths.filter((path) => !/^test\/unit\/FILE$/.test(path) && !isThere(path)).map((path) => `${name}: ${path}`);
  });
  expect(missing).toEqual([]);
});

test('the newest changelog version is the package version, with at most 30 lines per audience', () => {
  const [, newest = ''] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## (?=\d)/m);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(newest).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)`));
  const sections = newest.split(/^### /m).slice(1, 4);
  expect(sections.map((section) => section.split('\n')[0])).toEqual(['For users', 'For plugin authors', 'For operators']);
  for (const section of sections) expect(section.match(/^- /gm)?.length).toBeLessThanOrEqual(30);
});
