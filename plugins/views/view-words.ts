// The parts of a view as words, for clients that show text: values by their kind, states, and how an action is called.
import { makeSafe } from 'agent-harness/lib/terminal';
import { oneLine } from 'agent-harness/lib/text';
import type { Cell, CellKind, InputField, RowState, View, ViewAction } from './view-schema.ts';

/** One sign each, and the word that means the same where nothing is drawn. */
export const stateWords: Readonly<Record<RowState, { readonly sign: string; readonly word: string }>> = {
  pending: { sign: '☐', word: 'open' },
  active: { sign: '▸', word: 'under way' },
  done: { sign: '☑', word: 'done' },
  failed: { sign: '✗', word: 'failed' },
  stopped: { sign: '–', word: 'stopped' },
};

export function isState(value: unknown): value is RowState {
  return typeof value === 'string' && Object.hasOwn(stateWords, value);
}

/** One safe line. */
export function plain(text: string): string {
  return oneLine(makeSafe(text));
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** A value as one line of English text, a time in the zone of whoever calls. */
export function cellText(value: Cell, kind: CellKind = 'text'): string {
  if (value === null) return '–';
  if (typeof value === 'number') return kind === 'money' ? moneyText(value) : whole.format(value);
  if (kind === 'time') return timeText(value);
  if (kind === 'state' && isState(value)) return stateWords[value].word;
  return plain(value);
}

/** Small sums keep the digits that tell them from nothing. */
function moneyText(dollars: number): string {
  const digits = dollars !== 0 && Math.abs(dollars) < 0.1 ? 4 : 2;
  return `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toFixed(digits)}`;
}

function timeText(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return plain(iso);
  if (/^\d{4}-\d{2}-\d{2}$/.test(iso)) return iso;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** A value of a chart. */
export function valueText(value: number, unit = ''): string {
  if (unit === 'USD') return moneyText(value);
  return unit === '' ? whole.format(value) : `${whole.format(value)} ${plain(unit)}`;
}

/** Whether numbers of it stand under each other by their ends. */
export function isNumeric(kind: CellKind | undefined): boolean {
  return kind === 'number' || kind === 'money';
}

export interface ToldAction {
  readonly action: ViewAction;
  readonly isOfRow: boolean;
}

/** Every action that the view offers, those of rows once. */
export function actionsOf(view: View): readonly ToldAction[] {
  const ofRows = view.blocks.flatMap((block) => ('rowActions' in block ? (block.rowActions ?? []) : []));
  const told = new Map<string, ToldAction>();
  for (const action of view.actions ?? []) told.set(action.id, { action, isOfRow: false });
  for (const action of ofRows) if (!told.has(action.id)) told.set(action.id, { action, isOfRow: true });
  return [...told.values()];
}

/** The rows of a view that actions find. */
export function rowsOf(view: View): readonly { readonly id: string; readonly actions: readonly ViewAction[] }[] {
  return view.blocks.flatMap((block) => {
    if (block.kind !== 'table' && block.kind !== 'list') return [];
    const rows = block.kind === 'table' ? block.rows : block.items;
    return rows.flatMap((row) => (row.id === undefined ? [] : [{ id: row.id, actions: actionsOfRow(block.rowActions, row) }]));
  });
}

/** Those of its block that a row has. */
export function actionsOfRow(
  all: readonly ViewAction[] | undefined,
  row: { readonly id?: string; readonly actions?: readonly string[] },
): readonly ViewAction[] {
  if (row.id === undefined || !all) return [];
  const { actions } = row;
  return actions === undefined ? all : all.filter(({ id }) => actions.includes(id));
}

/** How somebody who types calls it: `add title=… [pages=…]`. */
export function usageOf({ action, isOfRow }: ToldAction): string {
  const required = new Set(action.input?.required);
  const fields = Object.entries(action.input?.properties ?? {}).map(([name, field]) => {
    const written = `${name}=${placeholderOf(field)}`;
    return required.has(name) ? written : `[${written}]`;
  });
  return [action.id, ...(isOfRow ? ['<row>'] : []), ...fields].join(' ');
}

function placeholderOf({ type, enum: choices }: InputField): string {
  if (choices) return choices.slice(0, 4).map(plain).join('|') + (choices.length > 4 ? '|…' : '');
  return type === 'boolean' ? 'yes|no' : type === 'string' ? '…' : '0';
}
