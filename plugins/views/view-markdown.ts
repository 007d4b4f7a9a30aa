// Renders a view as Markdown, for editors and for conversations that store it as text.
import { codeFence } from '#lib/text';
import type { Block, BlockKind, View } from './view-schema.ts';
import {
  actionsOf,
  actionsOfRow,
  addressOf,
  cellText,
  headOf,
  isNumeric,
  omittedText,
  parameterTexts,
  plain,
  shareText,
  stateTexts,
  usageOf,
  valueText,
} from './view-texts.ts';

/** Renders a view as Markdown. @param command command that precedes the name of the view in the listed actions; default: actions are not listed */
export function viewMarkdown(view: View, command?: string): string {
  const head = view.title === undefined ? [] : [`**${escapeMarkdown(view.title)}**`];
  const blocks = view.blocks.flatMap((block) => {
    if (block.kind === 'form') return [];
    const own = (writers[block.kind] as (one: Block, isCalled: boolean) => string)(block, command !== undefined);
    const title = headOf(view, block);
    return title === undefined ? [own] : [`**${escapeMarkdown(title)}**\n\n${own}`];
  });
  const actionTexts =
    command === undefined || view.name === undefined
      ? []
      : [
          ...parameterTexts(view, command).map(([title, text]) => `- ${title}: ${inCode(text)}`),
          ...actionsOf(view).map((one) => `- ${escapeMarkdown(one.action.label)}: ${inCode(`${command} ${addressOf(view)} ${usageOf(one)}`)}`),
        ];
  return [...head, ...blocks, ...(actionTexts.length > 0 ? [actionTexts.join('\n')] : [])].join('\n\n');
}

export function escapeMarkdown(text: string): string {
  return plain(text)
    .replace(/[\\`*_{}[\]<>#|~$!&]/g, '\\$&')
    .replace(/^([-+]|\d+[.)])(?=\s)/, '\\$1');
}

function inCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

const empty = '_No entries._';

const writers: { readonly [K in Exclude<BlockKind, 'form'>]: (block: Block<K>, isCalled: boolean) => string } = {
  // Two spaces at the end of a line preserve the line break.
  text: ({ text, isPlain }) => (isPlain ? text.trimEnd().split('\n').map(escapeMarkdown).join('  \n') : text),
  fields: ({ fields }) => fields.map(({ label, value, kind }) => `- ${escapeMarkdown(label)}: ${escapeMarkdown(cellText(value, kind))}`).join('\n'),
  table({ columns, rows, rowActions }, hasCommand) {
    if (rows.length === 0) return empty;
    const isCalled = hasCommand && rows.some((row) => actionsOfRow(rowActions, row).length > 0);
    const heads = [...columns.map(({ title }) => escapeMarkdown(title)), ...(isCalled ? ['Row'] : [])];
    const rule = [...columns.map(({ kind }) => (isNumeric(kind) ? '---:' : '---')), ...(isCalled ? ['---'] : [])];
    const lines = rows.map((row) => [
      ...columns.map(({ kind }, at) => escapeMarkdown(cellText(row.cells[at] ?? null, kind))),
      ...(isCalled ? [row.id === undefined ? '' : inCode(row.id)] : []),
    ]);
    return [heads, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  },
  list({ items, rowActions, isOrdered = false, omitted = 0 }, isCalled) {
    if (items.length === 0) return empty;
    let number = omitted;
    const left = omitted === 0 ? [] : [`- _${omittedText(omitted)}_`];
    return [
      ...left,
      ...items.map((item) => {
        const { text, detail, state, level = 0 } = item;
        const box = state === 'done' ? '[x] ' : state === 'pending' || state === 'active' ? '[ ] ' : '';
        const word = state === undefined || state === 'done' || state === 'pending' ? '' : ` (${stateTexts[state].word})`;
        const id = isCalled && item.id !== undefined && actionsOfRow(rowActions, item).length > 0 ? ` ${inCode(item.id)}` : '';
        if (level === 0) number++;
        const mark = isOrdered && level === 0 ? `${number}.` : '-';
        return `${(isOrdered ? '   ' : '  ').repeat(level)}${mark} ${box}${escapeMarkdown(text)}${word}${id}${detail ? ` – ${escapeMarkdown(detail)}` : ''}`;
      }),
    ].join('\n');
  },
  chart({ labels, labelKind, series, unit }) {
    if (labels.length === 0) return empty;
    const heads = ['', ...series.map(({ title }) => escapeMarkdown(title))];
    const lines = labels.map((label, at) => [escapeMarkdown(cellText(label, labelKind)), ...series.map(({ values }) => valueText(values[at] ?? 0, unit))]);
    return [heads, ['---', ...series.map(() => '---:')], ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  },
  diff({ path, diff, hunks = [], rowActions }, isCalled) {
    const ids = isCalled ? hunks.flatMap((row) => (row.id !== undefined && actionsOfRow(rowActions, row).length > 0 ? [inCode(row.id)] : [])) : [];
    const parts = [...(path === undefined ? [] : [inCode(plain(path))]), codeFence(diff.trimEnd(), 'diff')];
    return [...parts, ...(ids.length === 0 ? [] : [`Its parts: ${ids.join(', ')}`])].join('\n\n');
  },
  progress: ({ label, value, detail }) =>
    `${escapeMarkdown(label)}: ${value === undefined ? 'under way' : shareText(value)}${detail === undefined ? '' : ` – ${escapeMarkdown(detail)}`}`,
};
