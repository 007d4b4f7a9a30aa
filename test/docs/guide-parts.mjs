// What stands in guides and is written elsewhere: code of the examples, and pictures of them.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const pictures = 'docs/pictures';
/** Bytes: nobody waits for a picture, and a clone stays small. */
const most = { each: 60_000, together: 1_500_000 };

/** @param {string} root @returns {string[]} relative to it */
const guidesOf = (root) => [...readdirSync(join(root, 'docs')), ...readdirSync(join(root, 'docs/guides')).map((name) => `guides/${name}`)].filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);

/**
 * Puts the files that a guide names (`<!-- file: examples/… -->`, and a block of code) into it as they are now.
 * @param {string} root
 * @returns {Map<string, string>} guides by their path, those that name any
 */
export function fillGuides(root) {
  const named = guidesOf(root).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    if (!text.includes('<!-- file: ')) return [];
    const filled = text.replace(/(<!-- file: (\S+) -->\n\n```\w+\n)[^]*?(^```$)/gm, (_, head, file, end) => head + readFileSync(join(root, file), 'utf8') + end);
    return [[path, filled]];
  });
  return new Map(named);
}

/**
 * What is wrong with pictures and links between guides, a sentence each.
 * @param {string} root
 * @returns {string[]}
 */
export function checkGuides(root) {
  const faults = [];
  const shown = new Set();
  for (const guide of guidesOf(root)) {
    const text = readFileSync(join(root, guide), 'utf8');
    for (const [, image, target] of text.matchAll(/(!?)\[[^\]]*\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const path = relative(root, resolve(join(root, dirname(guide)), target));
      if (!existsSync(join(root, path))) faults.push(`${guide} leads to ${target}, which is not there`);
      if (image !== '') shown.add(path);
    }
    for (const [, name] of text.matchAll(/<!-- said: ([\w-]+) -->\n\n`{3,}\w+\n`{3,}/g)) faults.push(`${guide} lacks the text '${name}'; run npm run pictures`);
  }
  let together = 0;
  for (const name of existsSync(join(root, pictures)) ? readdirSync(join(root, pictures)) : []) {
    const { size } = statSync(join(root, pictures, name));
    together += size;
    if (!shown.has(`${pictures}/${name}`)) faults.push(`${pictures}/${name} is shown nowhere`);
    if (size > most.each) faults.push(`${pictures}/${name} has ${size} bytes, more than ${most.each}`);
  }
  if (together > most.together) faults.push(`${pictures} has ${together} bytes, more than ${most.together}`);
  return faults;
}
