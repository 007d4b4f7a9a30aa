// Checks that no platform or page file names a feature plugin or its tools, families, events or routes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSources, root, type Source } from '../../helpers/sources.ts';

const rowsOf = (page: string): readonly (readonly [string, string])[] =>
  [...readFileSync(join(root, 'docs/reference', page), 'utf8').matchAll(/^\| `([\w-]+)` \| `([\w-]+)`/gm)].map(([, name = '', owner = '']) => [name, owner]);

const platform = new Set(readdirSync(join(root, 'plugins')));
const builtins = readdirSync(join(root, 'builtins'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /[\\/]index\.ts$/.test(path) && !path.includes('app'))
  .map((path) => path.split(/[\\/]/).at(-2) ?? '');
const tools = rowsOf('tools.md').map(([name]) => name);
const families = rowsOf('tools.md').map(([, family]) => family);
const routes = new Map(
  readFileSync(join(root, 'docs/reference/routes.md'), 'utf8')
    .split('\n')
    .map((line) => line.split(' | '))
    .flatMap(([route = '', , , , , plugin = '']): [string, string][] => (route.startsWith('| `') ? [[route.slice(3, -1), plugin.slice(1, -1)]] : [])),
);
const events = rowsOf('events.md').flatMap(([name, owner]) => (platform.has(owner) ? [] : [name]));

/** Words that also have a platform meaning, with the place that may use them. */
const homonyms: readonly (readonly [place: string, word: string, why: string])[] = [
  ['plugins/policy/', 'ask_user', 'the event of a question, whoever asks'],
  ['plugins/agent/', 'artifacts', 'a service of the tools'],
  ['plugins/tools/', 'artifacts', 'a service of the tools, and the folder of a chat'],
  ['plugins/chats/', 'artifacts', 'a folder of a chat that a fork takes along'],
  ['plugins/', 'plan', 'a mode of a chat'],
  ['kernel/', 'why', 'what an error says of its cause'],
  ['plugins/', 'why', 'what an error says of its cause'],
  ['plugins/licensing/', 'browser', 'where a sign-in came from'],
  ['plugins/licensing/', 'cloud_sync', 'part of the name of an entitlement'],
  ['plugins/licensing/', 'session_history', 'part of the name of an entitlement'],
  ['plugins/trust/', 'files', 'what is trusted of a workspace'],
  ['plugins/http/', 'openapi', 'the document of the server itself'],
  ['plugins/connections/', 'integrations', 'what the routes of connections are filed under'],
  ['builtins/clients/web-ui/app/kit/markdown/safe-address.ts', 'remote', 'a picture that is not of this server'],
  ['plugins/storage/temporary-files.ts', 'skills', "a folder of the person's own"],
  ['plugins/transcript/', 'ask_user', 'the event of a question, whoever asks'],
  ['plugins/lib/html-text.ts', 'audio', 'an element of a page'],
  ['builtins/clients/', 'ask_user', 'the event of a question, whoever asks'],
  ['builtins/clients/web-ui/app/', 'plan', 'a mode of a chat'],
  ['builtins/clients/', 'remember', 'a choice of who decides about a call'],
];

/** Returns every string literal that is not a module specifier, and regular expressions; comments are ignored. */
function textsOf({ ast }: Source): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isModuleDeclaration(node)) {
      if (ts.isModuleDeclaration(node) && node.body) visit(node.body);
      return;
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) found.push(node.text);
    if (ts.isRegularExpressionLiteral(node) || ts.isJsxText(node)) found.push(node.text);
    // A word table such as `{ shell: 'a command' }`.
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && ts.isStringLiteralLike(node.initializer)) found.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return found;
}

function namesIn(source: Source, words: ReadonlySet<string>): string[] {
  const named = textsOf(source).flatMap((text) => {
    const parts = text.match(/[A-Za-z][\w-]*/g) ?? [];
    return parts.filter((part) => words.has(part) && (/[_-]/.test(part) || part === text));
  });
  return [...new Set(named)].filter((word) => !homonyms.some(([place, one]) => source.path.startsWith(place) && one === word));
}

const words = new Set([...builtins, ...tools, ...families, ...events]);
const isWritten = ({ text }: Source): boolean => !text.startsWith('// Generated ');

function faultsOf(source: Source): string[] {
  const called = textsOf(source).filter((text) => routes.has(text) && !platform.has(routes.get(text) ?? ''));
  return [...namesIn(source, words), ...new Set(called)].map((word) => `${source.path}: ${word}`);
}

test('no kernel or platform file names a built-in, or a tool, family or event of one', () => {
  expect(words.size).toBeGreaterThan(60);
  expect(readSources('kernel', 'plugins').flatMap(faultsOf)).toEqual([]);
});

test('no page or client library file names a built-in, or a tool, family, event or route of one', () => {
  expect(routes.size).toBeGreaterThan(60);
  expect(readSources('builtins/clients/web-ui/app', 'builtins/clients/client').filter(isWritten).flatMap(faultsOf)).toEqual([]);
});

test('no client names a built-in tool, because the tool owner decides how a call is displayed', () => {
  // Excludes tool names that are also ordinary words.
  const toolWords = new Set(tools.filter((name) => /_/.test(name) && !events.includes(name) && name !== 'ask_user'));
  const clients = readSources('builtins/clients').filter(isWritten);
  expect(clients.flatMap((source) => namesIn(source, toolWords).map((word) => `${source.path}: ${word}`))).toEqual([]);
});
