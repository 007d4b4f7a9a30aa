// Parses the project's source files for architecture tests.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

export const root = join(import.meta.dirname, '../..');

export interface Source {
  /** Relative to the project root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Parsed at first use. */
  readonly ast: ts.SourceFile;
}

export interface Import {
  readonly from: string;
  readonly isTypeOnly: boolean;
  readonly isDynamic: boolean;
}

export function readSources(...folders: readonly string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => readSource(join(root, folder, name))),
  );
}

const parsed = new Map<string, Source>();

function readSource(file: string): Source {
  const known = parsed.get(file);
  if (known) return known;
  const source = parse(file);
  parsed.set(file, source);
  return source;
}

function parse(file: string): Source {
  const text = readFileSync(file, 'utf8');
  let ast: ts.SourceFile | undefined;
  return {
    path: relative(root, file).split(sep).join('/'),
    text,
    lines: text.split('\n').length - 1,
    get ast() {
      return (ast ??= ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
    },
  };
}

export function importsOf(source: Source): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      found.push({ from: node.moduleSpecifier.text, isTypeOnly: isTypeOnly(node), isDynamic: false });
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument)) found.push({ from: argument.text, isTypeOnly: false, isDynamic: true });
    }
    ts.forEachChild(node, visit);
  };
  visit(source.ast);
  return found;
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const names = clause.namedBindings;
  return clause.name === undefined && names !== undefined && ts.isNamedImports(names) && names.elements.every((one) => one.isTypeOnly);
}

/** Returns for example `plugins/chats` or `builtins/tools/files`. `kernel` and the files directly in `builtins` belong to no plugin. */
export function pluginFolderOf(path: string): string | undefined {
  if (path.startsWith('plugins/')) return path.split('/').slice(0, 2).join('/');
  if (!path.startsWith('builtins/')) return undefined;
  for (let folder = dirname(path); folder !== 'builtins' && folder !== '.'; folder = dirname(folder)) {
    if (readdirSync(join(root, folder)).includes('index.ts')) return folder;
  }
  return undefined;
}
