// Generates the API reference for plugins: each export of the package with its comment, from the sources listed in `package.json`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Modules shown in full, because plugin authors read them from top to bottom. All others are tables. */
const whole = ['kernel', 'view', 'testing'];

/** @param {string} root @returns {string} markdown, without its title */
export function makeApiReference(root) {
  const modules = modulesOf(root).map(({ name, file }) => ({ name, exports: exportsOf(root, file) }));
  const shown = modules.filter((one) => one.exports.length > 0);
  return [
    'Import types as `import type { … } from`; a plugin that is one file imports nothing else at run time, since nothing is installed beside it. `agent-harness/testing` is there while ' +
      '`app plugins test` runs. Which of it is stable: [publish a plugin](../guides/publish-a-plugin.md#what-stays-stable).',
    table(
      ['Import', 'What'],
      shown.map(({ name, exports }) => [`[\`agent-harness/${name}\`](#agent-harness${anchorOf(name)})`, exports.slice(0, 8).map((one) => `\`${one.name}\``).join(', ') + (exports.length > 8 ? ', …' : '')]),
    ),
    ...shown.flatMap(({ name, exports }) => [`## agent-harness/${name}`, ...(whole.includes(name) || name.startsWith('plugins/') ? [code(exports)] : [list(exports)])]),
  ].join('\n\n');
}

const anchorOf = (name) => name.toLowerCase().replaceAll(/[^\w-]/g, '');

function modulesOf(root) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = Object.entries(exports).flatMap(([key, target]) => (typeof target === 'object' ? [[key.slice(2), target.source.slice(2)]] : []));
  const found = named.flatMap(([name, source]) => {
    if (name === '') return [];
    if (!name.includes('*')) return [{ name, file: source }];
    const [before, after] = source.split('*');
    const isFlat = after === '.ts';
    const names = readdirSync(join(root, before), { recursive: !isFlat, encoding: 'utf8' }).sort();
    return names.flatMap((path) => {
      const one = isFlat ? path.replace(/\.ts$/, '') : path;
      return existsSync(join(root, before, one + after)) ? [{ name: name.replace('*', one), file: before + one + after }] : [];
    });
  });
  const rank = ({ name }) => [...whole, 'client', 'transcript', 'transcript/events', 'tiers'].indexOf(name) + 1 || (name.startsWith('plugins/') ? 20 : 40);
  return found.sort((left, right) => rank(left) - rank(right));
}

/** Exports in source order. Re-exports count as the file's own exports. */
function exportsOf(root, file, wanted = undefined) {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const beside = (from) => join(dirname(file), from);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier?.text;
      if (from === undefined || !from.startsWith('.')) return [];
      const names = statement.exportClause && ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements.map(({ name }) => name.text) : undefined;
      return exportsOf(root, beside(from), names);
    }
    if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    const names = ts.isVariableStatement(statement) ? statement.declarationList.declarations.map(({ name }) => name.getText(source)) : [statement.name?.text];
    return names.filter((name) => name !== undefined && (wanted === undefined || wanted.includes(name))).map((name) => ({ name, comment: commentOf(statement, text), code: declarationOf(statement, source), kind: statement.kind }));
  });
}

/** The declaration without function bodies. */
function declarationOf(statement, source) {
  const text = statement.getText(source).replace(/^export /, '');
  if (ts.isFunctionDeclaration(statement)) return `${text.slice(0, (statement.body?.getStart(source) ?? statement.end) - statement.getStart(source) - 'export '.length).trim()};`;
  if (ts.isVariableStatement(statement)) {
    const [{ initializer, name, type }] = statement.declarationList.declarations;
    if (initializer && ts.isArrowFunction(initializer)) return `const ${name.getText(source)}: (${initializer.parameters.map((one) => one.getText(source)).join(', ')}) => ${initializer.type?.getText(source) ?? '…'};`;
    return text.length < 300 ? text : `const ${name.getText(source)}${type ? `: ${type.getText(source)}` : ''};`;
  }
  if (ts.isClassDeclaration(statement)) return `class ${statement.name?.text}`;
  return text;
}

function commentOf(statement, text) {
  const [last] = (ts.getLeadingCommentRanges(text, statement.pos) ?? []).slice(-1);
  const raw = last === undefined ? '' : text.slice(last.pos, last.end);
  return raw.startsWith('/**') ? raw : '';
}

/** The comment on one line, for a table cell. */
function sentencesOf(comment) {
  return comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\{@link ([^}|]+)(?:\|[^}]*)?\}/g, '`$1`')
    .replace(/@(param|returns|throws)\b/g, '· $1')
    .replace(/\s+/g, ' ')
    .trim();
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
const table = (heads, rows) => [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---').join('|')}|`, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
const code = (exports) => ['```ts', exports.map((one) => [one.comment, one.code].filter(Boolean).join('\n')).join('\n\n'), '```'].join('\n');

function list(exports) {
  return table(
    ['Export', 'What'],
    exports.map((one) => [`\`${one.name}\``, [cell(sentencesOf(one.comment)), isCallable(one) ? `\`${one.code.replace(/\s+/g, ' ').replaceAll('|', '\\|')}\`` : ''].filter(Boolean).join('<br>')]),
  );
}

const isCallable = ({ kind, code: text }) => kind === ts.SyntaxKind.FunctionDeclaration || (kind === ts.SyntaxKind.VariableStatement && text.includes('=>'));

/**
 * Members that contracts add to an open map of the kernel (`Hooks`, `ContributionPoints`, …), with type and comment, by name.
 * @param {string} root @param {string} map
 * @returns {Map<string, { type: string, comment: string, module: string }>}
 */
export function augmentationsOf(root, map) {
  const found = new Map();
  for (const { name: module, file } of modulesOf(root).concat({ name: 'kernel', file: 'kernel/contracts.ts' })) {
    const text = readFileSync(join(root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const ofItem = (type) => exportsOf(root, file).find(({ name }) => name === type.replace(/<.*/, ''))?.comment ?? '';
    const visit = (node) => {
      if (ts.isInterfaceDeclaration(node) && node.name.text === map)
        for (const member of node.members)
          if (ts.isPropertySignature(member))
{
            const type = member.type?.getText(source).replace(/\s+/g, ' ') ?? '';
            const comment = sentencesOf(commentOf(member, text) || ofItem(type)).replace(/^Contribution point `[\w.]+`(?:\.|: )\s*/, '');
            found.set(member.name.text, { type, comment: comment.charAt(0).toUpperCase() + comment.slice(1), module });
          }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/** @returns {string} link to the module's section of the page */
export const addressOf = (module) => `api.md#agent-harness${anchorOf(module)}`;
