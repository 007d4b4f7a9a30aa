// A view as lines of text: for terminals, pipes and readers by ear. No line holds anything that a terminal would obey.
import { makeSafe } from 'agent-harness/lib/terminal';
import { clip } from 'agent-harness/lib/text';
import type { Block, BlockKind, Cell, RowState, View } from './view-schema.ts';
import { actionsOf, actionsOfRow, cellText, isNumeric, isState, plain, stateWords, usageOf, valueText } from './view-words.ts';

/** How a piece of a line looks, where there are colours. */
export type Look = 'strong' | 'weak' | 'good' | 'bad' | 'busy' | 'accent';
export interface Run {
  readonly text: string;
  readonly look?: Look;
}
export type Line = readonly Run[];

export interface LineOptions {
  /** That a line may take; at least 20. */
  readonly columns: number;
  /** False for whoever reads by ear: bars, signs and columns are said in words. */
  readonly isDrawn?: boolean;
  /** How an action is called, before the name of the view: `/view`. Left out: actions are not told. */
  readonly command?: string;
  /** How many columns a text takes; its UTF-16 units when left out. */
  readonly widthOf?: (text: string) => number;
}

/** What stands under each other: lines, or markdown that a client may lay out in its own way. */
export type Part = { readonly lines: readonly Line[] } | { readonly markdown: string };

interface Room extends Required<Omit<LineOptions, 'command'>> {
  /** Rows are called by their ids, which stand beside them. */
  readonly isCalled: boolean;
}

const barSigns = ['█', '▓', '▒', '░', '▚', '▞'];
const sparkSigns = '▁▂▃▄▅▆▇█';
const looksOfState: Readonly<Record<RowState, Look | undefined>> = { pending: undefined, active: 'busy', done: 'good', failed: 'bad', stopped: 'weak' };

/** The whole of it, without an empty line at either end. */
export function viewParts(view: View, options: LineOptions): Part[] {
  const { columns, isDrawn = true, widthOf = (text) => text.length } = options;
  const room: Room = { columns: Math.max(20, columns), isDrawn, widthOf, isCalled: options.command !== undefined };
  const parts: Part[] = view.title === undefined ? [] : [{ lines: [[{ text: plain(view.title), look: 'strong' }]] }];
  for (const block of view.blocks) {
    const own = blockPart(block, room);
    const head: Line[] = block.title === undefined ? [] : [[{ text: plain(block.title), look: 'strong' }]];
    if (own === undefined) continue;
    if (parts.length > 0 && !(parts.length === 1 && view.title !== undefined)) parts.push({ lines: [[]] });
    if ('markdown' in own) parts.push(...(head.length > 0 ? [{ lines: head }] : []), own);
    else parts.push({ lines: [...head, ...own.lines] });
  }
  const told = options.command === undefined ? [] : actionLines(view, options.command);
  return told.length > 0 ? [...parts, { lines: parts.length > 0 ? [[], ...told] : told }] : parts;
}

/** All of it as plain text that ends with no line end; markdown stands in it as it was written. */
export function viewText(view: View, options: LineOptions): string {
  return viewParts(view, options)
    .flatMap((part) => ('markdown' in part ? [makeSafe(part.markdown).trimEnd()] : part.lines.map(textOfLine)))
    .join('\n');
}

export function textOfLine(line: Line): string {
  return line
    .map(({ text }) => text)
    .join('')
    .trimEnd();
}

function blockPart(block: Block, room: Room): Part | undefined {
  if (block.kind === 'text') return { markdown: block.text };
  // What is asked for stands with the actions.
  if (block.kind === 'form') return undefined;
  return { lines: (drawers[block.kind] as (one: Block, room: Room) => Line[])(block, room) };
}

const nothing: Line = [{ text: 'Nothing is here.', look: 'weak' }];

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
  list({ items, rowActions }, { isDrawn, columns, widthOf, isCalled }) {
    if (items.length === 0) return [nothing];
    return items.flatMap((item): Line[] => {
      const { text, detail, state, level = 0 } = item;
      const indent = '  '.repeat(level);
      const mark = !isDrawn ? '- ' : state === undefined ? '• ' : `${stateWords[state].sign} `;
      const look = state === undefined ? undefined : looksOfState[state];
      const said = !isDrawn && state !== undefined ? ` (${stateWords[state].word})` : '';
      const first: Run[] = [
        { text: `${indent}${mark}`, ...(look ? { look } : {}) },
        { text: `${plain(text)}${said}`, ...(state === 'done' ? { look: 'weak' as const } : state === 'active' ? { look: 'strong' as const } : {}) },
        ...idRun(item.id, isCalled && actionsOfRow(rowActions, item).length > 0),
      ];
      if (detail === undefined || detail === '') return [first];
      const isShort = widthOf(first.map((run) => run.text).join('')) + widthOf(plain(detail)) + 3 <= columns;
      return isShort ? [[...first, { text: `  ${plain(detail)}`, look: 'weak' }]] : [first, [{ text: `${indent}  ${plain(detail)}`, look: 'weak' }]];
    });
  },
  chart: chartLines,
  diff({ path, diff }) {
    const lines = makeSafe(diff.replaceAll('\r\n', '\n')).trimEnd().split('\n');
    return [
      ...(path === undefined ? [] : [[{ text: plain(path), look: 'accent' as const }]]),
      ...lines.map((line): Line => {
        const isHead = /^(---|\+\+\+|@@)/.test(line);
        const look = isHead ? 'accent' : line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : 'weak';
        return [{ text: line.replaceAll('\t', '    '), look }];
      }),
    ];
  },
  progress({ label, value, detail }, { isDrawn }) {
    const share = value === undefined ? 'under way' : `${Math.round(value * 100)} %`;
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
  return [{ text: isDrawn ? `${stateWords[value].sign} ${text}` : text, ...(look ? { look } : {}) }];
}

function idRun(id: string | undefined, isCalled: boolean): Run[] {
  return id === undefined || !isCalled ? [] : [{ text: ` [${id}]`, look: 'weak' }];
}

/** Columns under each other where they fit; else each row as lines of its own. */
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

/** Widths that fit, the widest texts made narrower; `undefined` where that leaves too little of them. */
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

function shorten(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width) return text;
  let cut = clip(text, width);
  while (cut !== '' && widthOf(cut) > width) cut = clip(cut, cut.length - 1);
  return cut;
}

function chartLines({ form, labels, series, unit }: Block<'chart'>, { columns, isDrawn, widthOf }: Room): Line[] {
  if (labels.length === 0) return [nothing];
  const said = (at: number): string =>
    series.map(({ title, values }) => `${series.length > 1 ? `${plain(title)} ` : ''}${valueText(values[at] ?? 0, unit)}`).join(', ');
  const names = labels.map((label) => clip(plain(label), 24));
  if (!isDrawn) return names.map((name, at): Line => [{ text: `${name}: `, look: 'weak' }, { text: said(at) }]);
  if (form === 'line') return sparkLines(series, names, unit, columns);
  const nameWidth = Math.max(...names.map(widthOf));
  const sums = labels.map((_, at) => series.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0));
  const ends = labels.map((_, at) =>
    valueText(
      series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
      unit,
    ),
  );
  const room = Math.max(8, Math.min(40, columns - nameWidth - Math.max(...ends.map(widthOf)) - 4));
  const most = Math.max(...sums);
  const legend: Line[] = series.length > 1 ? [series.map(({ title }, at): Run => ({ text: `${barSigns[at]} ${plain(title)}  `, look: 'weak' }))] : [];
  return [
    ...legend,
    ...labels.map((_, at): Line => {
      const bars = series.map(({ values }, index) => (barSigns[index] ?? '█').repeat(most <= 0 ? 0 : Math.round((Math.max(0, values[at] ?? 0) / most) * room)));
      const bar = bars.join('');
      return [
        { text: `${names[at]}${' '.repeat(nameWidth - widthOf(names[at] ?? ''))}  `, look: 'weak' },
        { text: bar, look: 'accent' },
        { text: `${bar === '' ? '' : ' '}${ends[at]}` },
      ];
    }),
  ];
}

/** Each series as one line of signs, its least and greatest value beside it. */
function sparkLines(series: Block<'chart'>['series'], names: readonly string[], unit: string | undefined, columns: number): Line[] {
  const range = names.length > 1 ? `${names[0]} – ${names.at(-1)}` : (names[0] ?? '');
  return [
    ...series.flatMap(({ title, values }): Line[] => {
      const shown = thinned(values, Math.max(10, columns - 2));
      const [least, greatest] = [Math.min(...shown), Math.max(...shown)];
      const signs = shown.map((value) => sparkSigns[greatest === least ? 0 : Math.round(((value - least) / (greatest - least)) * 7)] ?? '▁').join('');
      return [
        [
          { text: `${plain(title)}: ` },
          { text: `${valueText(least, unit)} to ${valueText(greatest, unit)}, last ${valueText(values.at(-1) ?? 0, unit)}`, look: 'weak' },
        ],
        [{ text: signs, look: 'accent' }],
      ];
    }),
    [{ text: range, look: 'weak' }],
  ];
}

function thinned(values: readonly number[], most: number): readonly number[] {
  if (values.length === 0) return [0];
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, at) => values[Math.floor((at * values.length) / most)] ?? 0);
}

function actionLines(view: View, command: string): Line[] {
  if (view.name === undefined) return [];
  return actionsOf(view).map((told): Line => [
    { text: `${plain(told.action.label)}: `, look: 'weak' },
    { text: `${command} ${view.name} ${usageOf(told)}`, look: 'accent' },
  ]);
}
