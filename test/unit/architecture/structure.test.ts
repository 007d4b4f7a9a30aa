import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSources, root, type Source } from '../../helpers/sources.ts';

const kernel = readSources('kernel');
const features = readSources('plugins', 'builtins');
const all = [...kernel, ...features];
const isGenerated = ({ text }: Source): boolean => text.startsWith('// Generated ');

/** Maximum number of kernel lines that run. */
const kernelLines = 1_600;

test('the kernel has at most 1,600 lines that run, and no kernel file exceeds 220 lines', () => {
  // Erased types and comments do not count towards the size limit.
  expect(kernel.reduce((sum, source) => sum + runTimeLines(source), 0)).toBeLessThanOrEqual(kernelLines);
  expect(kernel.filter(({ lines }) => lines > 220).map(({ path, lines }) => `${path} ${lines}`)).toEqual([]);
});

test('no other file exceeds 300 lines, and the turn loop stays within 220', () => {
  expect(features.filter((source) => source.lines > 300 && !isGenerated(source)).map((source) => `${source.path} ${source.lines}`)).toEqual([]);
  expect(features.find((source) => source.path === 'plugins/agent/turn-loop.ts')?.lines).toBeLessThanOrEqual(220);
});

test('the kernel contains no domain word', () => {
  const words = /\b(tool|agent|chat|http|route|model|session|turn|prompt|license|tier|web|token|workspace)s?\b/i;
  // The package name and examples in doc comments are not domain knowledge.
  const code = (source: Source): string => source.text.replace(/\/\*\*?[\s\S]*?\*\/|\/\/.*$/gm, '').replaceAll('agent-harness', '');
  expect(kernel.flatMap((source) => code(source).match(words)?.[0].concat(` in ${source.path}`) ?? [])).toEqual([]);
});

test('no server module holds state', () => {
  const stateful = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'EventEmitter', 'AbortController']);
  // Two kernels may share a process. The page and sealed frames are exempt, because each window or frame has its own instance.
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

/** Counts lines with a run-time token, excluding comments, blank lines, type imports, types and interfaces. */
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

test('file and folder names are kebab-case and avoid generic words', () => {
  const banned = /(^|-)(manager|helper|helpers|util|utils|common|misc|handler|data|info)(-|\.|$)/;
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/;
  const parts = new Set(all.flatMap(({ path }) => [basename(path), ...dirname(path).split('/')]));
  expect([...parts].filter((part) => !kebab.test(part) || banned.test(part))).toEqual([]);
});

test('exported names avoid generic suffixes such as Manager and Helper', () => {
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

test('names of files and exports contain no private word', () => {
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

test('no default exports exist, and a plugin index exports only manifest and register', () => {
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
  // A build tool requires a default export in its configuration.
  expect(all.filter((source) => exportsOf(source).includes('default') && !source.path.endsWith('.config.ts')).map((source) => source.path)).toEqual([]);
  const indexes = features.filter((source) => basename(source.path) === 'index.ts');
  expect(indexes.filter((source) => exportsOf(source).sort().join() !== 'manifest,register').map((source) => source.path)).toEqual([]);
});

test('module augmentations use the package name, so that installed packages receive them', () => {
  const faults = all.flatMap(({ path, text }) =>
    [...text.matchAll(/declare module '([^']+)'/g)].flatMap((match) =>
      match[1] === 'agent-harness/kernel' || !match[1]?.startsWith('.') ? [] : [`${path}: ${match[1]}`],
    ),
  );
  expect(faults).toEqual([]);
});

test('the registry has eleven members and the emitter five, and the documents state these numbers', () => {
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

test('lazily imported CommonJS packages are read through their default export, as a bundle requires', () => {
  // In a bundle, a dynamically imported CommonJS package exposes only `default`.
  const faults = all.flatMap(({ path, text }) =>
    [...text.matchAll(/const \{([^}]*)\} = await import\('(?!agent-harness|#lib)([^'.][^']*)'\)/g)].flatMap(([, names = '', name = '']) => {
      const { type, exports } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { type?: string; exports?: object };
      const isModule = type === 'module' || JSON.stringify(exports ?? {}).includes('"import"');
      return isModule || /^ default: \w+ $/.test(names) ? [] : [`${path}: ${name}`];
    }),
  );
  expect(faults).toEqual([]);
});

test('every file begins with a header comment', () => {
  expect(all.filter((source) => !/^(#!.*\n)?\/\/ \S/.test(source.text)).map((source) => source.path)).toEqual([]);
});

test('only the kernel, manifests and the listed account and client plugins refer to entitlements', () => {
  // The control plane sells entitlements and its routes require them; the request gate enforces the requirement.
  const allowed = /^(kernel\/|plugins\/licensing\/|plugins\/http\/|builtins\/control-plane\/|builtins\/account\/hub\/|builtins\/clients\/|plugins\/settings\/)/;
  const faults = features.filter((source) => !allowed.test(source.path) && /\bentitlements?\b/i.test(source.text.replace(/^\s*entitlement: '.*$/m, '')));
  expect(faults.map((source) => source.path)).toEqual([]);
});

test('no source contains a TODO, FIXME or other unfinished marker', () => {
  const marks = /\b(TODO|FIXME|XXX|not implemented)\b/;
  expect(all.filter((source) => marks.test(source.text)).map((source) => source.path)).toEqual([]);
});

test('only one helper detects keys that belong to an input method', () => {
  const pages = readSources('builtins').filter(({ path }) => /\/(?:ui|app)\//.test(path) && !path.endsWith('kit/composing.ts'));
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.filter(({ text }) => /\.isComposing\b|keyCode === 229/.test(text)).map(({ path }) => path)).toEqual([]);
});

test('each glob pattern of an import matches a file, because a renamed file would only be missing', () => {
  const paths = readdirSync(join(root, 'builtins'), { recursive: true, encoding: 'utf8' }).map((path) => `builtins/${path.replaceAll('\\', '/')}`);
  const globs = all.flatMap(({ path, text }) =>
    [...text.matchAll(/import\.meta\.glob.*?\('([^']+)'/g)].map(([, pattern = '']) => join(dirname(path), pattern)),
  );
  expect(globs.length).toBeGreaterThan(2);
  const form = (glob: string): RegExp =>
    new RegExp(
      `^${glob
        .replace(/[.+^$()[\]{}|\\]/g, '\\$&')
        .replaceAll('*', '[^/]*')
        .replaceAll('?', '[^/]')}$`,
    );
  expect(globs.filter((glob) => !paths.some((path) => form(glob).test(path)))).toEqual([]);
});
