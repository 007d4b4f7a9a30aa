// Collects the messages of the page: each translatable English sentence, its files, and the translations missing in each catalogue.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import ts from 'typescript';

/** Fields that `table` in the page's kit translates. */
const readFields = ['title', 'label', 'text', 'what', 'hint', 'about', 'does', 'stays', 'description', 'prompt'];
/** Contribution fields that the rendering code translates. */
const contributed = ['title', 'short', 'long', 'hint', 'what', 'prompt'];
const appFolder = 'builtins/clients/web-ui/app';

/** Folders with translatable texts: the page and the UI of built-ins. */
export function messageFolders(root) {
  const groups = foldersIn(join(root, 'builtins'));
  const own = groups.flatMap((group) => foldersIn(group).map((plugin) => join(plugin, 'ui'))).filter((folder) => existsSync(folder));
  return [join(root, appFolder), ...own].map((folder) => relative(root, folder));
}

/**
 * All messages by English sentence.
 * @param served server sentences that the page translates, each with its plugin
 * @returns {Map<string, { files: Set<string>, many?: string, catalogue: Set<string> }>} `many`: the English plural of a sentence with a number
 */
export function findMessages(root, served = []) {
  const found = new Map();
  const add = (id, file, catalogue, many) => {
    if (!/\p{L}/u.test(id)) return;
    const known = found.get(id) ?? { files: new Set(), catalogue: new Set() };
    known.files.add(file);
    known.catalogue.add(catalogue);
    if (many !== undefined) known.many = many;
    found.set(id, known);
  };
  for (const folder of messageFolders(root)) {
    for (const file of sourcesIn(root, folder)) readFile(root, file, (id, many) => add(id, file, `${folder}/messages`, many));
  }
  for (const file of serverSources(root)) readMarked(root, file, (id) => add(id, file, `${appFolder}/messages`));
  for (const { text, plugin } of served) add(text, plugin, `${appFolder}/messages`);
  return found;
}

export function checkCatalogues(root, messages) {
  const folders = messageFolders(root).map((folder) => `${folder}/messages`);
  const languages = readdirSync(join(root, appFolder, 'messages')).map((file) => basename(file, '.json'));
  return languages.map((language) => {
    const entries = new Map();
    const wrong = [];
    for (const folder of folders) {
      const path = join(root, folder, `${language}.json`);
      if (!existsSync(path)) continue;
      for (const [id, message] of Object.entries(JSON.parse(readFileSync(path, 'utf8')))) {
        entries.set(id, message);
        const known = messages.get(id);
        if (!known) wrong.push(`${folder}/${language}.json: no source contains “${id}”`);
        else wrong.push(...faultsOf(id, message, known.many, language).map((fault) => `${folder}/${language}.json: “${id}” ${fault}`));
      }
    }
    return { language, lacks: [...messages.keys()].filter((id) => !entries.has(id)), wrong };
  });
}

function faultsOf(id, message, many, language) {
  const texts = typeof message === 'string' ? [message] : Object.values(message);
  const names = placeholdersOf(`${id} ${many ?? ''}`);
  const foreign = texts.flatMap((text) => placeholdersOf(text)).filter((name) => !names.includes(name));
  const lost = names.filter((name) => name !== 'count' && !texts.every((text) => placeholdersOf(text).includes(name)));
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const isPlural = typeof message !== 'string';
  return [
    ...(foreign.length > 0 ? [`has the unknown placeholder {${foreign[0]}}`] : []),
    ...(lost.length > 0 ? [`lacks the placeholder {${lost[0]}}`] : []),
    ...(isPlural && many === undefined ? ['has plural forms, but the source text has none'] : []),
    ...(isPlural ? forms.filter((form) => !(form in message)).map((form) => `lacks the plural form '${form}'`) : []),
    ...(isPlural ? Object.keys(message).filter((form) => !forms.includes(form)).map((form) => `has the plural form '${form}', which the language does not use`) : []),
  ];
}

const placeholdersOf = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

/** Server texts marked as messages: the texts of views, which the page translates. */
function readMarked(root, file, add) {
  const text = readFileSync(join(root, file), 'utf8');
  if (!text.includes('/* t */')) return;
  const visit = (node) => {
    if (isText(node) && isMarked(node, text)) add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
}

const isMarked = (node, text) => /\/\* t \*\/\s*$/.test(text.slice(node.getFullStart(), node.getStart()));

function readFile(root, file, add) {
  const text = readFileSync(join(root, file), 'utf8');
  const ast = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const isContribution = /(?:contribution|platform-pages)\.tsx$/.test(file);
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) readCall(node, add);
    if (isText(node) && isMarked(node, text)) add(node.text);
    if (isContribution && ts.isPropertyAssignment(node) && contributed.includes(node.name.getText()) && isText(node.initializer)) add(node.initializer.text);
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'keys' && ts.isArrayLiteralExpression(node.initializer)) {
      for (const key of node.initializer.elements) if (isText(key) && key.text.length > 1) add(key.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ast);
}

function readCall({ expression, arguments: given }, add) {
  const [first, second, third] = given;
  if (['t', 'tx'].includes(expression.text) && first && isText(first)) add(first.text);
  if (expression.text === 'tn' && second && third && isText(second) && isText(third)) add(second.text, third.text);
  if (expression.text === 'table' && first) {
    const fields = given.slice(1).filter(isText).map((one) => one.text);
    readTable(bare(first), 0, fields.length > 0 ? fields : readFields, add);
  }
}

function readTable(node, depth, fields, add) {
  const isList = ts.isArrayLiteralExpression(node);
  const parts = isList ? node.elements.map((one) => ['', one]) : ts.isObjectLiteralExpression(node) ? node.properties.filter(ts.isPropertyAssignment).map((one) => [nameOf(one.name), one.initializer]) : [];
  for (const [name, value] of parts) {
    const inner = bare(value);
    if (isText(inner) && (depth === 0 || (isList && depth === 1) || fields.includes(name))) add(inner.text);
    else readTable(inner, depth + 1, fields, add);
  }
}

const nameOf = (name) => (ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : name.getText());
const isText = (node) => ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
const bare = (node) => (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node) ? bare(node.expression) : node);

const sourcesIn = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .toSorted();

/** Sources of the platform and the built-ins, without browser code. */
const serverSources = (root) => ['plugins', 'builtins'].flatMap((folder) => sourcesIn(root, folder)).filter((path) => !/\/(?:ui|app)\//.test(path));

const foldersIn = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));

/** Catalogue of a message: the plugin's if only that plugin uses it, otherwise the page's. */
export const catalogueOf = ({ catalogue }) => (catalogue.size === 1 ? [...catalogue][0] : `${appFolder}/messages`);
