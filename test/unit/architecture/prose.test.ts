// Checks documents for private words; the list holds the words to avoid.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../helpers/sources.ts';

const documents = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/index.md', 'docs/gallery.md', 'examples/README.md'].concat(
  ['guides', 'architecture', 'decisions'].flatMap((folder) => readdirSync(join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`)),
);
const privateWords =
  /\b(?:whoever|whomever|whatsoever|somebody|nobody|doors?|rooms?|makings|keepers?|put aside|(?:take|takes|taken|took) back|taken out|have it back|(?:a|the|your) yes|in its midst)\b/gi;
/** Identifiers in code are exempt. */
const withoutCode = (text: string): string => text.replaceAll(/```[^]*?```|`[^`\n]*`|\]\([^)]*\)/g, ' ');

test('no document uses a private word', () => {
  const found = documents.flatMap((path) =>
    [...withoutCode(readFileSync(join(root, path), 'utf8')).matchAll(privateWords)].map(([word]) => `${path}: ${word}`),
  );
  expect(found).toEqual([]);
});
