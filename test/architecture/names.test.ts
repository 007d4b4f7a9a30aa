// What is knowledge about one feature stands with that feature: no file of the platform names one, or its tools, families or events.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSources, root, type Source } from '../helpers/sources.ts';

/** The first two columns of a table that is generated from the declarations. */
const rowsOf = (page: string): readonly (readonly [string, string])[] =>
  [...readFileSync(join(root, 'docs/reference', page), 'utf8').matchAll(/^\| `([\w-]+)` \| `([\w-]+)`/gm)].map(([, name = '', owner = '']) => [name, owner]);

const platform = new Set(readdirSync(join(root, 'plugins')));
const builtins = readdirSync(join(root, 'builtins'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /[\\/]index\.ts$/.test(path) && !path.includes('app'))
  .map((path) => path.split(/[\\/]/).at(-2) ?? '');
const tools = rowsOf('tools.md').map(([name]) => name);
const families = rowsOf('tools.md').map(([, family]) => family);
const events = rowsOf('events.md').flatMap(([name, owner]) => (platform.has(owner) ? [] : [name]));

/** Words that mean something of the platform's own, too, with the place that may say them. */
const homonyms: readonly (readonly [place: string, word: string, why: string])[] = [
  ['plugins/policy/', 'ask_user', 'the event of a question, whoever asks'],
  ['plugins/agent/', 'artifacts', 'a service of the tools'],
  ['plugins/tools/', 'artifacts', 'a service of the tools, and the folder of a chat'],
  ['plugins/chats/', 'artifacts', 'a folder of a chat that a fork takes along'],
  ['plugins/', 'plan', 'a mode of a chat'],
  ['plugins/licensing/', 'browser', 'where a sign-in came from'],
  ['plugins/trust/', 'files', 'what is trusted of a workspace'],
  ['plugins/connections/', 'integrations', 'what the routes of connections are filed under'],
  ['plugins/storage/leftovers.ts', 'skills', "a folder of the person's own"],
  ['plugins/transcript/', 'ask_user', 'the event of a question, whoever asks'],
];

/** Every text of the code that is not the name of a module, and patterns; comments are not code. */
function textsOf({ ast }: Source): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isModuleDeclaration(node)) {
      if (ts.isModuleDeclaration(node) && node.body) visit(node.body);
      return;
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) found.push(node.text);
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return found;
}

/** A word of several parts counts wherever it stands; one that is an ordinary word only as the whole of a text. */
function namesIn(source: Source, words: ReadonlySet<string>): string[] {
  const named = textsOf(source).flatMap((text) => {
    const parts = text.match(/[A-Za-z][\w-]*/g) ?? [];
    return parts.filter((part) => words.has(part) && (/[_-]/.test(part) || part === text));
  });
  return [...new Set(named)].filter((word) => !homonyms.some(([place, one]) => source.path.startsWith(place) && one === word));
}

test('no file of the kernel or the platform names a built-in, or a tool, family or event of one', () => {
  const words = new Set([...builtins, ...tools, ...families, ...events]);
  expect(words.size).toBeGreaterThan(60);
  const faults = readSources('kernel', 'plugins').flatMap((source) => namesIn(source, words).map((word) => `${source.path}: ${word}`));
  expect(faults).toEqual([]);
});

test('no client names a tool of a built-in: how a call shows, its owner says', () => {
  // Words of people's language that are a tool's name, too.
  const words = new Set(tools.filter((name) => /_/.test(name) && !events.includes(name) && name !== 'ask_user'));
  const clients = readSources('builtins/clients').filter(({ text }) => !text.startsWith('// Generated '));
  expect(clients.flatMap((source) => namesIn(source, words).map((word) => `${source.path}: ${word}`))).toEqual([]);
});
