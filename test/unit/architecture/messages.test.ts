// Checks that the page looks up every visible text and that its layout works in both text directions.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSources, root, type Source } from '../../helpers/sources.ts';

const isOfPage = ({ path }: { readonly path: string }): boolean => /^builtins\/(clients\/web-ui\/app|[^/]+\/[^/]+\/ui)\//.test(path);
const ofPage = readSources('builtins').filter(isOfPage);
const sources = ofPage.filter(({ path }) => path.endsWith('.tsx'));

const codeTags = new Set(['code', 'kbd', 'samp', 'pre', 'style']);
const read = new Set([
  ...['aria-label', 'aria-description', 'aria-roledescription', 'alt', 'title', 'placeholder', 'label', 'legend', 'intro', 'hint', 'description'],
]);
/** URLs, paths and commands are the same in every language. */
const isWords = (text: string): boolean => /\p{L}{2}/u.test(text) && !/^(https?:|\/|npx$)/.test(text.trim());

function spokenIn({ ast, path }: Source): string[] {
  const found: string[] = [];
  const note = (node: ts.Node, text: string): void => {
    const { line } = ast.getLineAndCharacterOfPosition(node.getStart(ast));
    found.push(`${path}:${line + 1}: ${text.replace(/\s+/g, ' ').trim()}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && codeTags.has(node.openingElement.tagName.getText(ast))) return;
    // The theme preview contains a line of sample code.
    if (ts.isJsxText(node) && isWords(node.text) && !/^(const|step =|'small')$/.test(node.text.trim())) note(node, node.text);
    if (
      ts.isJsxAttribute(node) &&
      read.has(node.name.getText(ast)) &&
      node.initializer &&
      ts.isStringLiteral(node.initializer) &&
      isWords(node.initializer.text)
    )
      note(node, node.getText(ast));
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return found;
}

test('visible text of the page is looked up with t, tn or tx of the kit', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.flatMap(spokenIn)).toEqual([]);
});

test('the page formats numbers, dates and lists by its language, in one place', () => {
  const writers = new Set(['page/format.ts', 'short-texts.ts', 't.ts'].map((name) => `builtins/clients/web-ui/app/kit/${name}`));
  const others = ofPage.filter(({ path }) => !writers.has(path) && !path.endsWith('/vite-messages.ts'));
  const byHand = /\.toLocale(?:|Date|Time)String\(|\.toFixed\(|Intl\.(?:NumberFormat|DateTimeFormat|ListFormat|RelativeTimeFormat)\b|\.join\('[,;] '\)/;
  const faults = others.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (byHand.test(line) && !/^\s*(?:\/\/|\*)/.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(faults).toEqual([]);
});

test('style sheets of the page use start and end instead of left and right', () => {
  const sheets = readdirSync(join(root, 'builtins'), { recursive: true, encoding: 'utf8' })
    .map((name) => `builtins/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.css') && isOfPage({ path }) && !path.includes('/app/public/'));
  const physical =
    /^\s*(?:(?:(?:scroll-)?(?:margin|padding)|border)-(?:left|right)\b.*|border-(?:top|bottom)-(?:left|right)-radius|left|right|(?:text-align|float): *(?:left|right))\s*[:;]/;
  const faults = sheets.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (physical.test(line) && !/left: 50%/.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(sheets.length).toBeGreaterThan(40);
  expect(faults).toEqual([]);
});
