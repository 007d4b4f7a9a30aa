// Renders a view as lines of text for terminals, pipes and screen readers. No line contains terminal control characters.
import { makeSafe } from '#lib/terminal';
import { chartLines } from './chart-lines.ts';
import { diffLines } from './diff-lines.ts';
import { idRun, nothing, shorten, type Line, type Look, type Room, type Run } from './line.ts';
import type { Block, BlockKind, Cell, RowState, View } from './view-schema.ts';
import {
  actionsOf,
  actionsOfRow,
  addressOf,
  cellText,
  headOf,
  isNumeric,
  isState,
  omittedText,
  parameterTexts,
  plain,
  shareText,
  stateTexts,
  usageOf,
} from './view-texts.ts';

export interface LineOptions {
  /** Maximum width of a line in columns; at least 20. */
  readonly columns: number;
  /** Whether to use bars, signs and columns (default); `false` for screen readers, which receive words instead. */
  readonly isDrawn?: boolean;
  /** Command that precedes the name of the view in the listed actions, for example `/view`; default: actions are not listed. */
  readonly command?: string;
  /** Returns the width of text in columns; default: the number of UTF-16 code units. */
  readonly widthOf?: (text: string) => number;
}

/** A part of the rendered view: lines, or Markdown that a client may format itself. */
export type Part = { readonly lines: readonly Line[] } | { readonly markdown: string };

export type { Line, Look, Run } from './line.ts';

const looksOfState: Readonly<Record<RowState, Look | undefined>> = { pending: undefined, active: 'busy', done: 'good', failed: 'bad', stopped: 'weak' };

/** Returns all parts, without an empty line at either end. */
export function viewParts(view: View, options: LineOptions): Part[] {
  const { columns, isDrawn = true, widthOf = (text) => text.length } = options;
  const room: Room = { columns: Math.max(20, columns), isDrawn, widthOf, isCalled: options.command !== undefined };
  const parts: Part[] = view.title === undefined ? [] : [{ lines: [[{ text: plain(view.title), look: 'strong' }]] }];
  for (const block of view.blocks) {
    const own = blockPart(block, room);
    const title = headOf(view, block);
    const head: Line[] = title === undefined ? [] : [[{ text: plain(title), look: 'strong' }]];
    if (own === undefined) continue;
    if (parts.length > 0 && !(parts.length === 1 && view.title !== undefined)) parts.push({ lines: [[]] });
    if ('markdown' in own) parts.push(...(head.length > 0 ? [{ lines: head }] : []), own);
    else parts.push({ lines: [...head, ...own.lines] });
  }
  const actionRows = options.command === undefined ? [] : actionLines(view, options.command);
  return actionRows.length > 0 ? [...parts, { lines: parts.length > 0 ? [[], ...actionRows] : actionRows }] : parts;
}

/** Returns plain text without a final line break; Markdown stays as written. */
export function viewText(view: View, options: LineOptions): string {
  return viewParts(view, options)
    .flatMap((part) => ('markdown' in part ? [makeSafe(part.markdown).trimEnd()] : part.lines.map(textOfLine)))
    .join('\n');
}

/** Returns the text of a line without styles. */
export function textOfLine(line: Line): string {
  return line
    .map(({ text }) => text)
    .join('')
    .trimEnd();
}

function blockPart(block: Block, room: Room): Part | undefined {
  if (block.kind === 'text')
    return block.isPlain
      ? {
          lines: makeSafe(block.text)
            .trimEnd()
            .split('\n')
            .map((text): Line => [{ text }]),
        }
      : { markdown: block.text };
  // Forms are listed with the actions.
  if (block.kind === 'form') return undefined;
  return { lines: (drawers[block.kind] as (one: Block, room: Room) => Line[])(block, room) };
}

const drawers: { readonly [K in Exclude<BlockKind, 'text' | 'form'>]: (block: Block<K>, room: Room) => Line[] } = {
  fields({ fields }, { columns, widthOf, isDrawn }) {
    const widest = Math.min(Math.floor(columns / 2), Math.max(0, ...fields.map(({ label }) => widthOf(plain(label)))));
    return fields.map(({ label, value, kind }) => {
      const name = `${plain(label)}:`;
      const gap = isDrawn ? ' '.repeat(Math.max(1, widest + 2 - widthOf(name))) : ' ';
      return [{ text: name, look: 'weak' }, { text: gap }, ...valueRuns(value, kind, isDrawn)];
    });
  },
  table: tableLines,
  list: listLines,
  chart: chartLines,
  diff: diffLines,
  progress({ label, value, detail }, { isDrawn }) {
    const share = value === undefined ? 'under way' : shareText(value);
    const full = Math.round((value ?? 0) * 20);
    const bar: Run[] =
      isDrawn && value !== undefined
        ? [
            { text: '█'.repeat(full), look: 'accent' },
            { text: `${'░'.repeat(20 - full)} `, look: 'weak' },
          ]
        : [];
    const more: Run[] = detail === undefined ? [] : [{ text: `  ${plain(detail)}`, look: 'weak' }];
    return [[{ text: `${plain(label)}: ` }, ...bar, { text: share, look: 'strong' }, ...more]];
  },
};

function valueRuns(value: Cell, kind: Parameters<typeof cellText>[1], isDrawn: boolean): Run[] {
  const text = cellText(value, kind);
  if (kind !== 'state' || !isState(value)) return [{ text }];
  const look = looksOfState[value];
  return [{ text: isDrawn ? `${stateTexts[value].sign} ${text}` : text, ...(look ? { look } : {}) }];
}

function listLines({ items, rowActions, isOrdered = false, isCompact = false, omitted = 0 }: Block<'list'>, room: Room): Line[] {
  const { isDrawn, columns, widthOf, isCalled } = room;
  if (items.length === 0) return [nothing];
  let number = omitted;
  const left: Line[] = omitted === 0 ? [] : [[{ text: `${isDrawn ? '… ' : ''}${omittedText(omitted)}`, look: 'weak' }]];
  const lines = items.flatMap((item): Line[] => {
    const { text, detail, state, level = 0 } = item;
    const indent = '  '.repeat(level);
    if (level === 0) number++;
    const numeral = isOrdered && level === 0 ? `${number}. ` : undefined;
    const mark = isDrawn && state !== undefined ? `${stateTexts[state].sign} ` : (numeral ?? (isDrawn ? '• ' : '- '));
    const look = state === undefined ? undefined : looksOfState[state];
    const said = !isDrawn && state !== undefined ? ` (${stateTexts[state].word})` : '';
    const first: Run[] = [
      { text: `${indent}${mark}`, ...(look ? { look } : {}) },
      { text: `${plain(text)}${said}`, ...(state === 'done' ? { look: 'weak' as const } : state === 'active' ? { look: 'strong' as const } : {}) },
      ...idRun(item.id, isCalled && actionsOfRow(rowActions, item).length > 0),
    ];
    if (detail === undefined || detail === '') return [first];
    const free = columns - widthOf(first.map((run) => run.text).join('')) - 3;
    const beside = (words: string): Line => [...first, { text: `  ${words}`, look: 'weak' }];
    if (widthOf(plain(detail)) <= free) return [beside(plain(detail))];
    if (isCompact && isDrawn) return [free < 4 ? first : beside(shorten(plain(detail), free, widthOf))];
    return [first, [{ text: `${indent}  ${plain(detail)}`, look: 'weak' }]];
  });
  return [...left, ...lines];
}

/** Aligns columns if they fit; otherwise, each row becomes several lines. */
function tableLines({ columns: heads, rows, rowActions }: Block<'table'>, room: Room): Line[] {
  if (rows.length === 0) return [nothing];
  const cells = rows.map((row) => heads.map(({ kind }, at) => valueRuns(row.cells[at] ?? null, kind, room.isDrawn)[0] as Run));
  const ids = rows.map((row) => idRun(row.id, room.isCalled && actionsOfRow(rowActions, row).length > 0));
  const idWidth = Math.max(0, ...ids.map(([run]) => (run ? run.text.length : 0)));
  const titles = heads.map((head) => plain(head.title));
  const widths = titles.map((name, at) => Math.max(room.widthOf(name), ...cells.map((row) => room.widthOf(row[at]?.text ?? ''))));
  const fitted = room.isDrawn
    ? fit(
        widths,
        heads.map(({ kind }) => !isNumeric(kind)),
        room.columns - idWidth,
      )
    : undefined;
  if (!fitted) {
    return cells.flatMap((row, index) =>
      row.map((run, at): Line => [
        { text: at === 0 ? '- ' : '  ' },
        { text: `${titles[at]}: `, look: 'weak' },
        run,
        ...(at === row.length - 1 ? (ids[index] ?? []) : []),
      ]),
    );
  }
  const lay = (row: readonly Run[], more: Line): Line => {
    const runs = row.flatMap((run, at): Run[] => {
      const width = fitted[at] ?? 0;
      const text = shorten(run.text, width, room.widthOf);
      const blank = ' '.repeat(Math.max(0, width - room.widthOf(text)));
      const gap = at === row.length - 1 && more.length === 0 ? '' : '  ';
      return isNumeric(heads[at]?.kind) ? [{ text: blank }, { ...run, text }, { text: gap }] : [{ ...run, text }, { text: blank + gap }];
    });
    return [...runs, ...more].filter(({ text }) => text !== '');
  };
  const rule = fitted.map((width) => '─'.repeat(width)).join('  ');
  return [
    lay(
      titles.map((text): Run => ({ text, look: 'weak' })),
      [],
    ),
    [{ text: rule, look: 'weak' }],
    ...cells.map((row, at) => lay(row, ids[at] ?? [])),
  ];
}

/** Returns widths that fit, with the widest columns narrowed; `undefined` if they would be too narrow. */
function fit(widths: readonly number[], mayShrink: readonly boolean[], columns: number): number[] | undefined {
  const least = 8;
  const fitted = [...widths];
  const total = (): number => fitted.reduce((sum, width) => sum + width + 2, -2);
  while (total() > columns) {
    const widest = fitted.reduce((best, width, at) => (mayShrink[at] && width > (best < 0 ? least : (fitted[best] ?? 0)) ? at : best), -1);
    if (widest < 0) return undefined;
    const second = Math.max(least, ...fitted.filter((_, at) => at !== widest && mayShrink[at]));
    const width = fitted[widest] ?? 0;
    fitted[widest] = Math.max(least, Math.min(width - 1, Math.max(second, width - (total() - columns))));
  }
  return fitted;
}

function actionLines(view: View, command: string): Line[] {
  if (view.name === undefined) return [];
  const called = `${command} ${addressOf(view)}`;
  const actionRows = actionsOf(view).map((one): Line => [
    { text: `${plain(one.action.label)}: `, look: 'weak' },
    { text: `${called} ${usageOf(one)}`, look: 'accent' },
  ]);
  return [...parameterTexts(view, command).map(([title, text]): Line => [{ text: `${title}: `, look: 'weak' }, { text }]), ...actionRows];
}
