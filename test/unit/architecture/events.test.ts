import ts from 'typescript';
import { expect, test } from 'vitest';
import { importsOf, readSources, type Source } from '../../helpers/sources.ts';
import { eventSchemas } from '../../../plugins/transcript/events.ts';

const sources = readSources('kernel', 'plugins', 'builtins');
const common = new Set(['text', 'error', 'usage', 'announcement']);
const kinds = Object.keys(eventSchemas).filter((kind) => !common.has(kind));

test('the transcript library imports only itself, the text and value libraries, and TypeBox at run time', () => {
  const own = sources.filter(({ path }) => path.startsWith('plugins/transcript/'));
  const faults = own.flatMap((source) =>
    importsOf(source).flatMap(({ from, isTypeOnly }) =>
      isTypeOnly || /^(?:\.\/|typebox$|#lib\/(?:text|unified-diff|values)$)/.test(from) ? [] : [`${source.path} runs ${from}`],
    ),
  );
  expect(own.length).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});

test('server code outside the transcript library does not compare chat event kinds by name', () => {
  const names = kinds.join('|');
  const matched = new RegExp(`kind === '(?:${names})'|"kind":"(?:${names})"`);
  // Each of these needs a single fact from a line, unrelated to rendering: a turn boundary, a first message, a truncated output.
  const known = new Set([
    ...['plugins/agent/staged-turn.ts', 'plugins/chats/journal/event-log.ts', 'plugins/chats/store/fork-chat.ts', 'plugins/chats/journal/scan-journal.ts'],
    ...['builtins/turn/replay/replay-turn.ts', 'builtins/turn/replay/replays.ts', 'builtins/turn/replay/strip-turn.ts'],
    'builtins/turn/support-file/support-sections.ts',
  ]);
  // Test helpers that access a server over HTTP count as clients.
  const isServer = ({ path }: Source): boolean => !/^(plugins\/transcript|builtins\/clients|builtins\/connections\/plugin-life\/testing)\//.test(path);
  const server = sources.filter(isServer);
  const found = server.filter(({ text }) => matched.test(text)).map(({ path }) => path);
  expect(found.filter((path) => !known.has(path))).toEqual([]);
});

test('the agent emits turn events only through `say`, which also updates the conversation', () => {
  const agent = sources.filter(({ path }) => path.startsWith('plugins/agent/'));
  const said = /export type TurnEvents = Pick<\s*EventFields,([^>]*)>/.exec(agent.find(({ path }) => path.endsWith('/turn-types.ts'))?.text ?? '')?.[1] ?? '';
  const names = [...said.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  expect(names).toContain('turn_end');
  const emitted = new RegExp(`emit\\('(?:${names.join('|')})'`);
  expect(agent.filter(({ text }) => emitted.test(text)).map(({ path }) => path)).toEqual([]);
});

test('every wire event declares a permission', () => {
  const declared = readSources('plugins', 'builtins', 'examples').filter(({ text }) => /'wire_event'|WireEvent\b/.test(text));
  const silent = declared.flatMap(({ path, ast }) => eventsIn(ast).flatMap((event) => (event.hasPermission ? [] : [`${path}: ${event.name}`])));
  expect(declared.length).toBeGreaterThan(10);
  expect(silent).toEqual([]);
});

/** Returns object literals that look like event declarations; list items include the fields added by `map`. */
function eventsIn(ast: ts.SourceFile): { name: string; hasPermission: boolean }[] {
  const found: { name: string; hasPermission: boolean }[] = [];
  const fieldsOf = (node: ts.ObjectLiteralExpression): Map<string, ts.ObjectLiteralElementLike> =>
    new Map(node.properties.flatMap((one) => (one.name && ts.isIdentifier(one.name) ? [[one.name.text, one] as const] : [])));
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const fields = fieldsOf(node);
      const name = fields.get('name');
      const isEvent =
        ['description', 'schema'].every((field) => fields.has(field)) &&
        name &&
        ts.isPropertyAssignment(name) &&
        /^'[a-z_]+'$/.test(name.initializer.getText());
      if (isEvent) found.push({ name: name.initializer.getText().slice(1, -1), hasPermission: fields.has('permission') || isGivenOne(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return found;
}

function isGivenOne({ parent }: ts.Node): boolean {
  const call = parent.parent.parent;
  return ts.isArrayLiteralExpression(parent) && ts.isCallExpression(call) && /permission: '/.test(call.arguments.map((one) => one.getText()).join());
}

/** This name is also a panel slot; there it is not an event. */
const slots = new Set(['builtins/clients/web-ui/app/points/panel-store.ts', 'builtins/clients/web-ui/app/points/panel-contribution.tsx']);

test('clients name event kinds only in `handle`, which types the event by its schema', () => {
  const clients = sources.filter(({ path }) => /^builtins\/(?:clients\/|.*\/ui\/)/.test(path));
  const named = clients.map((source) => ({ source, names: namesOf(source).filter((name) => !(name === 'tool_result' && slots.has(source.path))) }));
  expect(clients.length).toBeGreaterThan(0);
  expect(named.flatMap(({ source, names }) => names.map((name) => `${source.path} names ${name}`))).toEqual([]);
});

/** Returns event kinds used as string literals or as keys of tables other than handler tables. */
function namesOf({ ast }: Source): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && (kinds.includes(node.text) || isCompared(node))) names.push(node.text);
    if (ts.isObjectLiteralElementLike(node) && node.name && ts.isIdentifier(node.name) && kinds.includes(node.name.text) && !isOfHandlers(node.parent))
      names.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return names;
}

/** Matches `event.kind === 'text'`: a common word that here names an event kind. */
function isCompared(node: ts.StringLiteralLike): boolean {
  return common.has(node.text) && ts.isBinaryExpression(node.parent) && /\bevent\??\.kind$/.test(node.parent.left.getText());
}

function isOfHandlers({ parent }: ts.Node): boolean {
  if (ts.isCallExpression(parent)) return parent.expression.getText() === 'handle';
  return ts.isVariableDeclaration(parent) && /^Handlers\b/.test(parent.type?.getText() ?? '');
}
