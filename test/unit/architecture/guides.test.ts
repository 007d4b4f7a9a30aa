// Checks that at most 40 guides exist, that each states its purpose first, and that links resolve to existing headings.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../helpers/sources.ts';

const guides = readdirSync(join(root, 'docs/guides'));
const documents = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/index.md', 'docs/gallery.md', 'examples/README.md'].concat(
  ['guides', 'architecture', 'decisions'].flatMap((folder) => readdirSync(join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`)),
);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const anchorsOf = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('at most 40 guides exist, and each begins with its purpose', () => {
  expect(guides.length).toBeLessThanOrEqual(40);
  expect(guides.filter((name) => !/^# .+\n\nAfter this guide you (can|know) /.test(read(`docs/guides/${name}`)))).toEqual([]);
});

test('the index lists each guide', () => {
  const index = read('docs/index.md');
  expect(guides.filter((name) => !index.includes(`(guides/${name})`))).toEqual([]);
});

test('links resolve to existing files and headings', () => {
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\(([\w./-]*\.md)?(?:#([\w-]+))?\)/g)].flatMap(([link, file, anchor]) => {
      const target = file === undefined ? path : resolve('/', dirname(path), file).slice(1);
      const isThere = existsSync(join(root, target)) && (anchor === undefined || anchorsOf(target).includes(anchor));
      return isThere ? [] : [`${path}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});
