// What the text of a plugin's file uses that is not its own: names of the realm, modules, and what it calls and reads by name. Nothing of it runs.
import type { AnyNode, ArrowFunctionExpression, Expression, FunctionDeclaration, FunctionExpression, Program } from 'acorn';
import { declaredIn, namesIn, scopeOf } from './syntax-scope.ts';

/** `first` is its first argument, where that is a text. */
export interface NamedCall {
  /** The name of what it is called on, where that is one. */
  readonly on: string | undefined;
  readonly name: string;
  readonly first: string | undefined;
}

export interface FileFacts {
  /** Names of the realm, with the member that is taken of it: `fetch`, `process.env`. */
  readonly globals: ReadonlySet<string>;
  /** Where it imports from, and which names; none for all of them. `undefined` for what it works out as it runs. */
  readonly imports: readonly { readonly from: string | undefined; readonly names: readonly string[] }[];
  /** Members that it reads by name, of whatever. */
  readonly members: ReadonlySet<string>;
  readonly calls: readonly NamedCall[];
  /** What it exports as `manifest`: `none`, or its value where that stands there as data; `undefined` where only a run of it tells. */
  readonly manifest: 'none' | Readonly<Record<string, unknown>> | undefined;
  /** How it names registry and emitter. */
  readonly given: readonly (string | undefined)[];
}

interface Found {
  readonly globals: Set<string>;
  readonly imports: { from: string | undefined; names: readonly string[] }[];
  readonly members: Set<string>;
  readonly calls: NamedCall[];
}

type Names = ReadonlySet<string>;

/** Rejects with a `SyntaxError` for what is no module. */
export async function readFacts(text: string): Promise<FileFacts> {
  const { parse } = await import('acorn');
  const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  const found: Found = { globals: new Set(), imports: [], members: new Set(), calls: [] };
  walk(program, [], found);
  return { ...found, manifest: manifestOf(program), given: registerOf(program) };
}

/** @param known names of the scopes around, the innermost last */
function walk(node: AnyNode, known: readonly Names[], found: Found): void {
  const own = scopeOf(node);
  const scopes = own ? [...known, own] : known;
  const isKnown = (name: string): boolean => scopes.some((names) => names.has(name));
  const each = (...nodes: readonly (AnyNode | null | undefined)[]): void => {
    for (const one of nodes) if (one) walk(one, scopes, found);
  };
  switch (node.type) {
    case 'Identifier':
      if (!isKnown(node.name)) found.globals.add(node.name);
      return;
    case 'MemberExpression': {
      const member = memberOf(node);
      if (member !== undefined) found.members.add(member);
      const { object } = node;
      if (object.type === 'Identifier' && !isKnown(object.name) && member !== undefined) found.globals.add(`${object.name}.${member}`);
      else each(object);
      if (node.computed) each(node.property);
      return;
    }
    case 'CallExpression':
      if (node.callee.type === 'MemberExpression') {
        const { object } = node.callee;
        const [first] = node.arguments;
        const name = memberOf(node.callee);
        const on = object.type === 'Identifier' ? object.name : undefined;
        if (name !== undefined) found.calls.push({ on, name, first: first && first.type !== 'SpreadElement' ? textOf(first) : undefined });
      }
      return each(node.callee, ...node.arguments);
    case 'ObjectPattern':
      for (const one of node.properties) {
        if (one.type === 'Property') {
          const key = keyOf(one.key, one.computed);
          if (key !== undefined) found.members.add(key);
          each(one.computed ? one.key : undefined, one.value);
        } else each(one);
      }
      return;
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return each(node.computed ? node.key : undefined, node.value);
    case 'ImportDeclaration':
      found.imports.push({
        from: String(node.source.value),
        names: node.specifiers.map((one) => (one.type === 'ImportSpecifier' ? nameIn(one.imported) : '*')),
      });
      return;
    case 'ImportExpression':
      found.imports.push({ from: textOf(node.source), names: ['*'] });
      return each(node.source);
    case 'ExportNamedDeclaration':
      if (node.source) found.imports.push({ from: String(node.source.value), names: node.specifiers.map(({ local }) => nameIn(local)) });
      else each(node.declaration);
      return;
    case 'ExportAllDeclaration':
      found.imports.push({ from: String(node.source.value), names: ['*'] });
      return;
    case 'LabeledStatement':
      return each(node.body);
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
      return;
    default:
      for (const value of Object.values(node)) {
        if (Array.isArray(value)) each(...value.filter(isNode));
        else if (isNode(value)) each(value);
      }
  }
}

const isNode = (value: unknown): value is AnyNode => typeof (value as Partial<AnyNode> | null)?.type === 'string';

function memberOf({ property, computed }: Extract<AnyNode, { readonly type: 'MemberExpression' }>): string | undefined {
  return property.type === 'PrivateIdentifier' ? undefined : keyOf(property, computed);
}

/** Also a text in brackets. */
function keyOf(key: AnyNode, isComputed: boolean): string | undefined {
  if (!isComputed && key.type === 'Identifier') return key.name;
  return key.type === 'Literal' || key.type === 'TemplateLiteral' ? textOf(key) : undefined;
}

function textOf(node: Expression): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  return node.type === 'TemplateLiteral' && node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined;
}

const nameIn = (node: { readonly type: 'Identifier'; readonly name: string } | { readonly type: 'Literal'; readonly value?: unknown }): string =>
  node.type === 'Identifier' ? node.name : String(node.value);

function manifestOf({ body }: Program): FileFacts['manifest'] {
  let isThere = false;
  for (const statement of body) {
    // What stands behind these may have one, too: whoever imports the plugin takes the default, or all.
    if (statement.type === 'ExportDefaultDeclaration' || statement.type === 'ExportAllDeclaration') isThere = true;
    if (statement.type !== 'ExportNamedDeclaration') continue;
    if (statement.specifiers.some(({ exported }) => ['manifest', 'default'].includes(nameIn(exported)))) isThere = true;
    const { declaration } = statement;
    if (!declaration || !declaredIn(declaration).includes('manifest')) continue;
    isThere = true;
    if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    const init = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === 'manifest')?.init;
    const value = init ? dataOf(init) : undefined;
    const isAlone = !body.some((one) => one.type === 'ExportDefaultDeclaration');
    if (isAlone && typeof value?.data === 'object' && value.data !== null) return value.data as Readonly<Record<string, unknown>>;
  }
  return isThere ? undefined : 'none';
}

/** What stands there as data, as JSON has it. */
function dataOf(node: Expression): { readonly data: unknown } | undefined {
  if (node.type === 'Literal') return 'regex' in node || 'bigint' in node ? undefined : { data: node.value };
  if (node.type === 'UnaryExpression' && node.operator === '-') {
    const inner = dataOf(node.argument)?.data;
    return typeof inner === 'number' ? { data: -inner } : undefined;
  }
  if (node.type === 'ArrayExpression') {
    const list = node.elements.map((one) => (one === null || one.type === 'SpreadElement' ? undefined : dataOf(one)));
    return list.every((one) => one !== undefined) ? { data: list.map(({ data }) => data) } : undefined;
  }
  if (node.type === 'ObjectExpression') {
    const rows: [string, unknown][] = [];
    for (const one of node.properties) {
      const key = one.type === 'Property' && one.kind === 'init' && !one.method ? keyOf(one.key, one.computed) : undefined;
      const value = one.type === 'Property' && key !== undefined && key !== '__proto__' ? dataOf(one.value) : undefined;
      if (key === undefined || value === undefined) return undefined;
      rows.push([key, value.data]);
    }
    return { data: Object.fromEntries(rows) };
  }
  const text = textOf(node);
  return text === undefined ? undefined : { data: text };
}

function registerOf({ body }: Program): FileFacts['given'] {
  const functions = body.flatMap((statement): (FunctionDeclaration | FunctionExpression | ArrowFunctionExpression)[] => {
    const one = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (one?.type === 'FunctionDeclaration') return one.id?.name === 'register' ? [one] : [];
    if (one?.type !== 'VariableDeclaration') return [];
    return one.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && id.name === 'register' && (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression') ? [init] : [],
    );
  });
  return (functions[0]?.params ?? []).map((one) => namesIn(one)[0]);
}
