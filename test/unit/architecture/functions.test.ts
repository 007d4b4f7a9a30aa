// Checks the length of functions: own lines, without the bodies of the functions inside, and whole lines.
import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSources, type Source } from '../../helpers/sources.ts';

const maxOwn = 80;
const maxWhole = 200;
/** Functions that may exceed a limit, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'kernel/kernel.ts createKernel': 'wires all parts of the kernel once, in the order of their dependencies',
  'builtins/clients/web-ui/app/chat/composer/composer.tsx ComposerForm': 'not split yet',
  'builtins/clients/web-ui/app/chat/decisions/approval-card.tsx ApprovalCard': 'not split yet',
  'builtins/control-plane/plane-relay/channel-store.ts createChannelStore': 'not split yet',
};

interface Measured {
  readonly name: string;
  readonly own: number;
  readonly whole: number;
}

test('own lines of a function exclude the functions inside it that have three or more lines', () => {
  const text = [
    'function outer() {',
    '  const short = () => {',
    '  };',
    '  function inner() {',
    '    one();',
    '    two();',
    '  }',
    '  return inner;',
    '}',
  ].join('\n');
  const ast = ts.createSourceFile('sample.ts', text, ts.ScriptTarget.Latest, true);
  expect(functionsOf({ path: 'sample.ts', ast })).toEqual([
    { name: 'sample.ts outer', own: 6, whole: 9 },
    { name: 'sample.ts short', own: 2, whole: 2 },
    { name: 'sample.ts inner', own: 4, whole: 4 },
  ]);
});

test(`no function has more than ${maxOwn} own lines or ${maxWhole} lines in all`, () => {
  const sources = readSources('kernel', 'plugins', 'builtins');
  // A shorter file has no longer function.
  const measured = sources.filter(({ lines }) => lines > maxOwn).flatMap(functionsOf);
  const long = measured.filter(({ name, own, whole }) => (own > maxOwn || whole > maxWhole) && !Object.hasOwn(exceptions, name));
  expect(measured.length).toBeGreaterThan(1_000);
  expect(long.map(({ name, own, whole }) => `${name}: ${own} own lines, ${whole} in all`)).toEqual([]);
});

function functionsOf({ path, ast }: Pick<Source, 'path' | 'ast'>): Measured[] {
  const found: Measured[] = [];
  const lineAt = (position: number): number => ast.getLineAndCharacterOfPosition(position).line;
  /** Returns the number of lines of nested functions below a node, one line of each excluded: the line of its beginning belongs to the outer function. */
  const visit = (node: ts.Node): number => {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return nestedIn(node);
    const whole = lineAt(node.end) - lineAt(node.getStart(ast)) + 1;
    const at = found.push({ name: '', own: 0, whole }) - 1;
    const nested = nestedIn(node);
    found[at] = { name: `${path} ${nameOf(node)}`, own: whole - nested, whole };
    return whole >= 3 ? whole - 1 : nested;
  };
  const nestedIn = (node: ts.Node): number => {
    let lines = 0;
    ts.forEachChild(node, (child) => void (lines += visit(child)));
    return lines;
  };
  visit(ast);
  return found;
}

function nameOf(node: ts.SignatureDeclaration): string {
  const { parent } = node;
  const named = node.name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : undefined);
  return named?.getText() ?? 'unnamed';
}
