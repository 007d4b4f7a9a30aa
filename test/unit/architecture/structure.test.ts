import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSources, type Source } from '../../helpers/sources.ts';

const kernel = readSources('kernel');
const features = readSources('plugins', 'builtins');
const all = [...kernel, ...features];
const isGenerated = ({ text }: Source): boolean => text.startsWith('// Generated ');

/** The most lines of the kernel that run. */
const kernelLines = 1_600;

test('the kernel stays under 1,600 lines that run, no file of it over 220', () => {
  // Types are erased and comments explain; neither makes the kernel larger for those who maintain it.
  expect(kernel.reduce((sum, source) => sum + runTimeLines(source), 0)).toBeLessThanOrEqual(kernelLines);
  expect(kernel.filter(({ lines }) => lines > 220).map(({ path, lines }) => `${path} ${lines}`)).toEqual([]);
});

test('no other file is over 300 lines, the turn loop under 220, a plugin index short', () => {
  expect(features.filter((source) => source.lines > 300 && !isGenerated(source)).map((source) => `${source.path} ${source.lines}`)).toEqual([]);
  expect(features.find((source) => source.path === 'plugins/agent/turn-loop.ts')?.lines).toBeLessThanOrEqual(220);
});

test('the kernel has no word of any domain', () => {
  const words = /\b(tool|agent|chat|http|route|model|session|turn|prompt|license|tier|web|token|workspace)s?\b/i;
  // The package's name, and the words in doc comments that give examples of names, are not knowledge of a domain.
  const code = (source: Source): string => source.text.replace(/\/\*\*?[\s\S]*?\*\/|\/\/.*$/gm, '').replaceAll('agent-harness', '');
  expect(kernel.flatMap((source) => code(source).match(words)?.[0].concat(` in ${source.path}`) ?? [])).toEqual([]);
});

test('no module keeps state', () => {
  const stateful = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'EventEmitter', 'AbortController']);
  // Two kernels live in one process; of the page there is one for each window, and of the program of a sealed frame one for each frame.
  const onServer = all.filter(({ path }) => !/^builtins\/(?:(clients\/web-ui|control-plane\/plane-pages)\/app\/|.*\/ui\/sealed\/)/.test(path));
  const faults = onServer.flatMap(({ ast, path }) =>
    ast.statements.filter(ts.isVariableStatement).flatMap((statement) =>
      statement.declarationList.declarations.flatMap((declaration) => {
        const isLet = (statement.declarationList.flags & ts.NodeFlags.Const) === 0;
        const made = declaration.initializer && ts.isNewExpression(declaration.initializer) ? declaration.initializer : undefined;
        const isState = made !== undefined && stateful.has(made.expression.getText()) && (made.arguments?.length ?? 0) === 0;
        return isLet || isState ? [`${path}: ${declaration.name.getText()}`] : [];
      }),
    ),
  );
  expect(faults).toEqual([]);
});

/** Lines with a token of something that is there at run time: no comments, blank lines, imports of types, types or interfaces. */
function runTimeLines({ ast }: Source): number {
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isModuleDeclaration(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)) return;
    if ((ts.isImportDeclaration(node) && node.importClause?.isTypeOnly) || (ts.isExportDeclaration(node) && node.isTypeOnly)) return;
    const children = node.getChildren(ast);
    for (const child of children) visit(child);
    if (children.length > 0 || node.kind === ts.SyntaxKind.EndOfFileToken || node.getWidth(ast) === 0) return;
    const [first, last] = [node.getStart(ast), node.getEnd()].map((at) => ast.getLineAndCharacterOfPosition(at).line);
    for (let line = first ?? 0; line <= (last ?? 0); line++) lines.add(line);
  };
  visit(ast);
  return lines.size;
}

test('files and folders are kebab-case and say what they are', () => {
  const banned = /(^|-)(manager|helper|helpers|util|utils|common|misc|handler|data|info)(-|\.|$)/;
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/;
  const parts = new Set(all.flatMap(({ path }) => [basename(path), ...dirname(path).split('/')]));
  expect([...parts].filter((part) => !kebab.test(part) || banned.test(part))).toEqual([]);
});

test('exported names are verbs or nouns of the field, never managers or helpers', () => {
  const banned = /(Manager|Helper|Util|Utils|Common|Misc|Handler|Data|Info)$/;
  const faults = all.flatMap(({ ast, path }) =>
    ast.statements.flatMap((statement) => {
      const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword);
      const name = 'name' in statement && statement.name ? (statement.name as ts.Identifier).text : '';
      return isExported && banned.test(name) && name !== 'PointHandler' ? [`${path}: ${name}`] : [];
    }),
  );
  expect(faults).toEqual([]);
});

test('names of files and exports have no private word', () => {
  const isPrivate = /^(?:apart|aside|brought|desks?|doors?|keepers?|ladder|makings|nobody|rungs?|seats?|somebody|told|wears?|whoever)$/;
  const hasPrivate = (name: string): boolean =>
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .split(/[-_./]/)
      .some((word) => isPrivate.test(word));
  const faults = all.flatMap(({ ast, path }) =>
    [basename(path), ...ast.statements.flatMap((one) => ('name' in one && one.name ? [(one.name as ts.Identifier).text] : []))].flatMap((name) =>
      hasPrivate(name) ? [`${path}: ${name}`] : [],
    ),
  );
  expect(faults).toEqual([]);
});

test('there are no default exports, and a plugin index exports manifest and register only', () => {
  const exportsOf = ({ ast }: Source): string[] =>
    ast.statements.flatMap((statement) => {
      if (ts.isExportAssignment(statement)) return ['default'];
      if (ts.isExportDeclaration(statement))
        return statement.exportClause && ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements.map((one) => one.name.text) : ['*'];
      const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword);
      if (!isExported) return [];
      if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map((one) => one.name.getText());
      return 'name' in statement && statement.name ? [(statement.name as ts.Identifier).text] : [];
    });
  // A build tool asks for one.
  expect(all.filter((source) => exportsOf(source).includes('default') && !source.path.endsWith('.config.ts')).map((source) => source.path)).toEqual([]);
  const indexes = features.filter((source) => basename(source.path) === 'index.ts');
  expect(indexes.filter((source) => exportsOf(source).sort().join() !== 'manifest,register').map((source) => source.path)).toEqual([]);
});

test('augmentations name the package, so that they reach those who install it', () => {
  const faults = all.flatMap(({ path, text }) =>
    [...text.matchAll(/declare module '([^']+)'/g)].flatMap((match) =>
      match[1] === 'agent-harness/kernel' || !match[1]?.startsWith('.') ? [] : [`${path}: ${match[1]}`],
    ),
  );
  expect(faults).toEqual([]);
});

test('a plugin learns eleven members of the registry and five of the emitter, and documents give these numbers', () => {
  const contracts = kernel.find((source) => source.path === 'kernel/contracts.ts');
  const membersOf = (name: string): number =>
    contracts?.ast.statements.filter(ts.isInterfaceDeclaration).find((one) => one.name.text === name)?.members.length ?? 0;
  const counts = [membersOf('Registry'), membersOf('Emitter')];
  expect(counts).toEqual([11, 5]);
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
  const [registry, emitter] = counts.map((count) => words[count]);
  for (const path of ['README.md', 'docs/architecture/principles.md']) {
    const text = readFileSync(path, 'utf8').replace(/\s+/g, ' ');
    expect(text).toMatch(new RegExp(`${registry} members of \`registry\`.*? and ${emitter} of \`emitter\``, 'i'));
    expect(text).toContain(`under ${kernelLines.toLocaleString('en-US')} lines that run`);
  }
});

test('a package that is loaded late gives its names also when it is bundled', () => {
  // A bundle gives a CommonJS package that is imported in a call a `default` and nothing else.
  const faults = all.flatMap(({ path, text }) =>
    [...text.matchAll(/const \{([^}]*)\} = await import\('(?!agent-harness|#lib)([^'.][^']*)'\)/g)].flatMap(([, names = '', name = '']) => {
      const { type, exports } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { type?: string; exports?: object };
      const isModule = type === 'module' || JSON.stringify(exports ?? {}).includes('"import"');
      return isModule || /^ default: \w+ $/.test(names) ? [] : [`${path}: ${name}`];
    }),
  );
  expect(faults).toEqual([]);
});

test('every file says its job in its first line', () => {
  expect(all.filter((source) => !/^(#!.*\n)?\/\/ \S/.test(source.text)).map((source) => source.path)).toEqual([]);
});

test('entitlements are decided by the kernel and named in manifests, nowhere else', () => {
  // A control plane sells them, and its routes ask for them; the door checks what a route asks for.
  const allowed = /^(kernel\/|plugins\/licensing\/|plugins\/http\/|builtins\/control-plane\/|builtins\/account\/hub\/|builtins\/clients\/|plugins\/settings\/)/;
  const faults = features.filter((source) => !allowed.test(source.path) && /\bentitlements?\b/i.test(source.text.replace(/^\s*entitlement: '.*$/m, '')));
  expect(faults.map((source) => source.path)).toEqual([]);
});

test('nothing is left unfinished', () => {
  const marks = /\b(TODO|FIXME|XXX|not implemented)\b/;
  expect(all.filter((source) => marks.test(source.text)).map((source) => source.path)).toEqual([]);
});

test('one helper knows which keys belong to an input method', () => {
  const pages = readSources('builtins').filter(({ path }) => /\/(?:ui|app)\//.test(path) && !path.endsWith('kit/composing.ts'));
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.filter(({ text }) => /\.isComposing\b|keyCode === 229/.test(text)).map(({ path }) => path)).toEqual([]);
});
