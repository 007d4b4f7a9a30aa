// Checks that each decision record has a numbered title and a status, and that the index lists both.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../helpers/sources.ts';

const folder = join(root, 'docs/decisions');
const index = readFileSync(join(folder, 'index.md'), 'utf8');
const records = readdirSync(folder).filter((name) => name !== 'index.md');
const status = /^Status: (accepted|superseded (?:in part )?by \[\d+\]\(\d{4}-[\w-]+\.md\).*)$/m;

test.each(records)('%s has a numbered title and a status, both listed in the index', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const [, title = ''] = /^# (\d+\. .+)\n/.exec(text) ?? [];
  expect(Number.parseInt(title, 10)).toBe(Number(name.slice(0, 4)));
  const [, stated = ''] = status.exec(text) ?? [];
  expect(index).toContain(`| [${title}](${name}) | ${stated} |`);
});

test('records link only to existing records', () => {
  const links = [...records, 'index.md'].flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(([, to]) => to ?? ''),
  );
  expect(links.filter((to) => !records.includes(to))).toEqual([]);
});
