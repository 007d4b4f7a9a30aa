import { basename } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { importsOf, readSources, type Source } from '../../helpers/sources.ts';

const libraries = readSources('plugins/lib');
const others = readSources('plugins', 'builtins').filter(({ path }) => !path.startsWith('plugins/lib/'));

/** Third-party packages that implement such a rule; the build bundles them. */
const packages: Readonly<Record<string, readonly string[]>> = {
  markdown: ['marked'],
  net: ['ipaddr.js'],
  'complete-fetch': ['cross-fetch'],
  'proxy-agents': ['http-proxy-agent', 'https-proxy-agent'],
  'html-text': ['entities'],
  'front-matter': ['yaml'],
  site: ['mime'],
  'late-ajv': ['ajv/dist/2020.js'],
  'foreign-schema': ['ajv'],
  schemas: ['typebox'],
  versions: ['semver/functions/compare.js', 'semver/functions/valid.js'],
  'sealed-link': ['@noble/ciphers/aes.js', '@noble/hashes/hkdf.js', '@noble/hashes/sha2.js'],
};
/** Libraries that also run in browsers, without Node. */
const inBrowsers = new Set([
  'copies',
  'markdown',
  'math-marks',
  'secrets',
  'errors',
  'text',
  'hidden-text',
  'async',
  'values',
  'hosts',
  'setting-texts',
  'terminal',
  'sealed-link',
  'unified-diff',
  'diff-parts',
  'spoken-check',
  'relay-calls',
  'tunnel-codec',
  'tunnel-guest',
  'schemas',
]);

test('a library imports Node, other libraries and the listed packages, and no Node module if it runs in browsers', () => {
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

test('no other file declares a function with the name of a library function', () => {
  const theirs = new Map(libraries.flatMap((source) => exportedFunctions(source).map((name) => [name, source.path])));
  const faults = others.flatMap((source) =>
    every(source, ts.isFunctionDeclaration).flatMap(({ name }) => (name && theirs.has(name.text) ? [`${source.path}: ${name.text}`] : [])),
  );
  expect(faults).toEqual([]);
});

/** Syntax patterns that reveal a reimplemented library rule. */
const rules: readonly { readonly use: string; readonly isCopy: (node: ts.Node) => boolean; readonly except?: readonly string[] }[] = [
  {
    use: 'errors: messageOf, errorOf, stackOf',
    isCopy: (node) =>
      ts.isConditionalExpression(node) &&
      /^[\w.]+ instanceof Error$/.test(node.condition.getText()) &&
      new RegExp(`^\\(?${node.condition.getText().split(' ', 1)[0] ?? ''}(\\.(message|stack)\\b.*)?\\)?$`, 's').test(node.whenTrue.getText()) &&
      node.whenFalse.getText() !== 'undefined',
    // Also appends the message of the cause.
    except: ['builtins/connections/mcp/server/foreign-text.ts'],
  },
  {
    use: 'errors: codeOf, hasCode, isMissing',
    isCopy: (node) =>
      (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword && node.left.getText() === "'code'") ||
      (ts.isPropertyAccessExpression(node) && node.name.text === 'code' && /as (NodeJS\.ErrnoException|\{ code)/.test(node.expression.getText())),
  },
  {
    use: 'errors: failure, isFailure',
    isCopy: (node) => (ts.isPropertyAssignment(node) || ts.isPropertySignature(node) || ts.isStringLiteral(node)) && /^'?isForCaller\b/.test(node.getText()),
  },
  {
    use: 'async: createSerialQueue, createSerialQueues',
    isCopy: (node) =>
      // `tail = tail.then(…)`, `tail = run.catch(() => undefined)`, `tails.get(key) ?? Promise.resolve()`
      (isAssignment(node) &&
        /^\w+$/.test(node.left.getText()) &&
        new RegExp(`^${node.left.getText()}\\s*\\.(then|catch|finally)\\(`).test(node.right.getText())) ||
      (isAssignment(node) && /^\w+\.catch\(\(\) => undefined\)$/.test(node.right.getText())) ||
      (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken && node.right.getText() === 'Promise.resolve()'),
  },
  {
    use: 'async: backoffMs',
    isCopy: (node) =>
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken &&
      node.left.getText() === '2' &&
      !ts.isNumericLiteral(node.right),
    // Halves the weight after each half-life.
    except: ['builtins/tools/memory/search/ranking.ts'],
  },
  {
    use: 'event-loop: yieldToEventLoop, createSlices, inSlices',
    isCopy: (node) => ts.isImportSpecifier(node) && (node.propertyName ?? node.name).text === 'setImmediate',
  },
  {
    use: 'paths: isWithin',
    isCopy: (node) =>
      ts.isCallExpression(node) && /\.startsWith$/.test(node.expression.getText()) && /^(`\.\.\$\{sep\}`|\w+ \+ sep)$/.test(node.arguments[0]?.getText() ?? ''),
  },
  {
    use: 'hosts: isLoopback',
    isCopy: (node) => ts.isRegularExpressionLiteral(node) && /\^.*127(\\\.|\(\\\.)/.test(node.text),
  },
  {
    use: 'net: createGuardedAgents; guarded-fetch: fetchGuarded',
    isCopy: (node) => isImportOf(node, /^(node:dns(\/promises)?|ipaddr\.js)$/),
  },
  {
    use: 'outgoing: createOutgoingAgents; complete-fetch: fetchOutgoing',
    isCopy: (node) => ts.isNewExpression(node) && /^(Https?)?Agent$/.test(node.expression.getText()),
  },
  {
    use: 'worker: startThread',
    isCopy: (node) => ts.isNewExpression(node) && node.expression.getText() === 'Worker',
    // A browser web worker.
    except: ['builtins/clients/web-ui/app/kit/code/use-highlight.ts'],
  },
  {
    use: 'text: textStart, textEnd, clip',
    isCopy: (node) => ts.isRegularExpressionLiteral(node) && /\\u(d800|dc00)-/i.test(node.text),
  },
  {
    use: 'text: oneLine',
    isCopy: (node) => isCallOf(node, /^[\s\S]*\.replace\(\/(\\s|\[[^\]]*\\s[^\]]*\])\+\/g?u?, ' '\)\s*\.trim$/),
  },
  {
    use: 'text: firstLine',
    isCopy: (node) => ts.isElementAccessExpression(node) && /\.split\((['"])\\n\1(, 1)?\)\??\.?\[0\]$/.test(node.getText()),
    // Matches the name of a git setting up to its value.
    except: ['builtins/tools/shell/git-safety.ts'],
  },
  {
    use: 'async: withLimit, untilAborted',
    isCopy: (node) => isCallOf(node, /^Promise\.race$/),
    // Not timeouts: the first two race two signals; the last uses a clock that tests control.
    except: ['builtins/clients/cli/commands/chat.ts', 'builtins/tools/browser/look.ts', 'plugins/tools/run-tool.ts', 'plugins/schedule/scheduler.ts'],
  },
  {
    use: 'worker: runInThread, awaitThread',
    isCopy: (node) => isCallOf(node, /\bworker\.on$/) && node.arguments[0]?.getText() === "'message'",
    // Several threads for one result, or several results from one thread.
    except: ['builtins/tools/files/search/line-search.ts', 'builtins/control-plane/plane-database/embedded-client.ts'],
  },
  {
    use: 'terminal: renderOutput',
    isCopy: (node) =>
      (ts.isImportSpecifier(node) && node.name.text === 'stripVTControlCharacters') ||
      (ts.isRegularExpressionLiteral(node) && /\\(x1b|u001b)\\?\[?/.test(node.text) && node.text.includes('@-~')),
    // Key sequences as a terminal sends them.
    except: ['builtins/clients/tui/screen/keys.ts'],
  },
  {
    use: 'values: pictureTypeOf',
    isCopy: (node) => (ts.isStringLiteral(node) || ts.isRegularExpressionLiteral(node)) && /89504e47/i.test(node.text),
  },
  {
    use: 'values: isRecord',
    isCopy: (node) =>
      ts.isBinaryExpression(node) &&
      /^typeof (\S+) (=== 'object' && \1 !== null && !|!== 'object' \|\| \1 === null \|\| )Array\.isArray\(\1\)$/.test(node.getText()),
  },
  {
    use: 'values: jsonOf, recordIn, answeredJson',
    isCopy: (node) =>
      (ts.isRegularExpressionLiteral(node) && node.text.includes('(?:json)?')) ||
      (ts.isTryStatement(node) &&
        /^\{\s*(return )?(JSON\.stringify\()?JSON\.parse\([^()]*\)/.test(node.tryBlock.getText()) &&
        !node.catchClause?.variableDeclaration),
  },
  {
    use: 'files: isThere',
    isCopy: (node) => isCallOf(node, /^lstat\(\w+\)\.then$/) && /\(\) => true,\s*\(\) => false/.test(node.getText()),
  },
  {
    use: 'hash: sha256',
    isCopy: (node) => ts.isCallExpression(node) && /^createHash\('sha256'\)\s*\.update\([^]*\)\s*\.digest\('hex'\)$/.test(node.getText()),
  },
  {
    use: 'values: stableJson',
    isCopy: (node) =>
      ts.isCallExpression(node) && /^Object\.fromEntries\(Object\.entries\(\w+\)\.sort\(\(\[\w+\],\[\w+\]\)/.test(node.getText().replace(/\s+/g, '')),
  },
  {
    use: 'values: BoundedMap',
    isCopy: (node) =>
      (ts.isVariableDeclaration(node) && /^\[\w+\]$/.test(node.name.getText()) && /^[\w.]+\.keys\(\)$/.test(node.initializer?.getText() ?? '')) ||
      (ts.isCallExpression(node) && /\.keys\(\)\.next$/.test(node.expression.getText())),
  },
];

test.each(rules)('$use: implemented only in the library', ({ isCopy, except = [] }) => {
  const copies = others.filter(({ path }) => !except.includes(path)).flatMap((source) => every(source, isCopy).map((node) => placeOf(source, node)));
  expect(copies).toEqual([]);
  // Exceptions that no longer apply must be removed.
  for (const path of except)
    expect(
      others.some((source) => source.path === path && every(source, isCopy).length > 0),
      path,
    ).toBe(true);
});

function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}

function isCallOf(node: ts.Node, called: RegExp): node is ts.CallExpression {
  return ts.isCallExpression(node) && called.test(node.expression.getText());
}

function isImportOf(node: ts.Node, from: RegExp): boolean {
  return ts.isImportDeclaration(node) && node.importClause?.isTypeOnly !== true && from.test((node.moduleSpecifier as ts.StringLiteral).text);
}

function exportedFunctions(source: Source): string[] {
  return source.ast.statements.flatMap((statement) => {
    const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword);
    return isExported && ts.isFunctionDeclaration(statement) && statement.name ? [statement.name.text] : [];
  });
}

function every<T extends ts.Node>(source: Source, matches: ((node: ts.Node) => node is T) | ((node: ts.Node) => boolean)): T[] {
  return nodesOf(source).filter((node): node is T => matches(node));
}

/** Nodes in source order; cached because each rule visits all of them. */
const nodes = new WeakMap<Source, readonly ts.Node[]>();
function nodesOf(source: Source): readonly ts.Node[] {
  const known = nodes.get(source);
  if (known) return known;
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source.ast);
  nodes.set(source, found);
  return found;
}

function placeOf({ path, ast }: Source, node: ts.Node): string {
  return `${path}:${ast.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.getText().slice(0, 100)}`;
}
