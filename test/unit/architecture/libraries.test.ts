import { basename } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { importsOf, readSources, type Source } from '../../helpers/sources.ts';

const libraries = readSources('plugins/lib');
const others = readSources('plugins', 'builtins').filter(({ path }) => !path.startsWith('plugins/lib/'));

/** Packages that are such a rule, kept by others; the build bundles them. */
const packages: Readonly<Record<string, readonly string[]>> = {
  net: ['ipaddr.js'],
  'whole-fetch': ['cross-fetch'],
  'proxy-agents': ['http-proxy-agent', 'https-proxy-agent'],
  'html-text': ['entities'],
  'front-matter': ['yaml'],
  site: ['mime'],
  'late-ajv': ['ajv/dist/2020.js'],
  'foreign-schema': ['ajv'],
  versions: ['semver/functions/compare.js', 'semver/functions/valid.js'],
  'sealed-link': ['@noble/ciphers/aes.js', '@noble/hashes/hkdf.js', '@noble/hashes/sha2.js'],
};
/** They also run where there is no node. */
const inBrowsers = new Set([
  ...['copies', 'secrets', 'errors', 'text', 'hidden-text', 'async', 'values', 'hosts', 'setting-texts', 'terminal', 'sealed-link', 'unified-diff'],
  ...['diff-parts', 'spoken-check', 'relay-calls', 'relay-outbox'],
]);

test('a library imports node, its neighbours and the packages listed here; where it runs in browsers, no node', () => {
  const faults = libraries.flatMap((source) => {
    const name = basename(source.path, '.ts');
    const isAllowed = (from: string): boolean =>
      /^\.\/[a-z-]+\.ts$/.test(from) || (from.startsWith('node:') && !inBrowsers.has(name)) || (packages[name] ?? []).includes(from);
    return importsOf(source).flatMap(({ from }) => (isAllowed(from) ? [] : [`${source.path} imports ${from}`]));
  });
  expect(faults).toEqual([]);
  const neighbours = libraries.filter(({ path }) => inBrowsers.has(basename(path, '.ts'))).flatMap((source) => importsOf(source).map(({ from }) => from));
  expect(neighbours.filter((from) => from.startsWith('.') && !inBrowsers.has(basename(from, '.ts')))).toEqual([]);
});

test('nobody declares a function of the name of one of theirs', () => {
  const theirs = new Map(libraries.flatMap((source) => exportedFunctions(source).map((name) => [name, source.path])));
  const faults = others.flatMap((source) => declaredFunctions(source).flatMap((name) => (theirs.has(name) ? [`${source.path}: ${name}`] : [])));
  expect(faults).toEqual([]);
});

function exportedFunctions(source: Source): string[] {
  return source.ast.statements.flatMap((statement) => {
    const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword);
    return isExported && ts.isFunctionDeclaration(statement) && statement.name ? [statement.name.text] : [];
  });
}

function declaredFunctions({ ast }: Source): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name) names.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return names;
}
