// Embeds example code and screenshots in the guides.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const pictures = 'docs/pictures';
/** Size limits in bytes, so that pages load fast and a clone stays small. */
const most = { each: 60_000, together: 1_500_000 };

/** @param {string} root @returns {string[]} relative to it */
const guidesOf = (root) => [...readdirSync(join(root, 'docs')), ...readdirSync(join(root, 'docs/guides')).map((name) => `guides/${name}`)].filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);

/**
 * Embeds the current content of the files that a guide names (`<!-- file: examples/… -->` and a code block).
 * @param {string} root
 * @returns {Map<string, string>} guides with embedded files, by path
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
 * Checks the pictures and links of the guides. Returns one sentence per fault.
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
