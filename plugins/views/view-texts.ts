// Formats the parts of a view as text: values by kind, states, and the syntax of actions.
import { makeSafe } from '#lib/terminal';
import { oneLine } from '#lib/text';
import type { Block, Cell, CellKind, InputField, RowState, View, ViewAction, ViewInput } from './view-schema.ts';

/** One character per state, and the word for clients that display no icons. */
export const stateTexts: Readonly<Record<RowState, { readonly sign: string; readonly word: string }>> = {
  pending: { sign: '☐', word: 'open' },
  active: { sign: '▸', word: 'under way' },
  done: { sign: '☑', word: 'done' },
  failed: { sign: '✗', word: 'failed' },
  stopped: { sign: '–', word: 'stopped' },
};

/** Returns whether a value is the name of a row state. */
export function isState(value: unknown): value is RowState {
  return typeof value === 'string' && Object.hasOwn(stateTexts, value);
}

/** Returns text as one line without terminal control characters. */
export function plain(text: string): string {
  return oneLine(makeSafe(text));
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Formats a value as one line of English text, with times in the local time zone. */
export function cellText(value: Cell, kind: CellKind = 'text'): string {
  if (value === null) return '–';
  if (typeof value === 'number') return kind === 'money' ? moneyText(value) : kind === 'share' ? shareText(value) : whole.format(value);
  if (kind === 'time') return timeText(value);
  if (kind === 'state' && isState(value)) return stateTexts[value].word;
  return plain(value);
}

/** Formats an amount in USD; small amounts keep their significant digits. */
function moneyText(dollars: number): string {
  const digits = dollars !== 0 && Math.abs(dollars) < 0.1 ? 4 : 2;
  return `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toFixed(digits)}`;
}

/** Formats a share as a percentage. @param share from 0 to 1 */
export function shareText(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function timeText(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return plain(iso);
  if (/^\d{4}-\d{2}-\d{2}$/.test(iso)) return iso;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Formats a value of a chart. */
export function valueText(value: number, unit = ''): string {
  if (unit === 'USD') return moneyText(value);
  return unit === '' ? whole.format(value) : `${whole.format(value)} ${plain(unit)}`;
}

/** Returns whether the values of the kind are right-aligned. */
export function isNumeric(kind: CellKind | undefined): boolean {
  return kind === 'number' || kind === 'money' || kind === 'share';
}

export interface DescribedAction {
  readonly action: ViewAction;
  readonly isOfRow: boolean;
}

/** Lists all actions of the view; each action of rows once. */
export function actionsOf(view: View): readonly DescribedAction[] {
  const ofRows = view.blocks.flatMap((block) => ('rowActions' in block ? (block.rowActions ?? []) : []));
  const described = new Map<string, DescribedAction>();
  for (const action of view.actions ?? []) described.set(action.id, { action, isOfRow: false });
  for (const action of ofRows) if (!described.has(action.id)) described.set(action.id, { action, isOfRow: true });
  return [...described.values()];
}

interface Row {
  readonly id?: string;
  readonly actions?: readonly string[];
}

/** Lists the rows of a view that actions can address. */
export function rowsOf(view: View): readonly { readonly id: string; readonly actions: readonly ViewAction[] }[] {
  return view.blocks.flatMap((block) => {
    const rows: readonly Row[] = block.kind === 'table' ? block.rows : block.kind === 'list' ? block.items : block.kind === 'diff' ? (block.hunks ?? []) : [];
    return rows.flatMap((row) =>
      row.id === undefined ? [] : [{ id: row.id, actions: actionsOfRow('rowActions' in block ? block.rowActions : undefined, row) }],
    );
  });
}

/** Returns the actions of a block that its row offers. */
export function actionsOfRow(all: readonly ViewAction[] | undefined, row: Row): readonly ViewAction[] {
  if (row.id === undefined || !all) return [];
  const { actions } = row;
  return actions === undefined ? all : all.filter(({ id }) => actions.includes(id));
}

/** Returns the heading of a block: its title, unless it is the first block and repeats the title of the view. */
export function headOf({ title, blocks }: View, block: Block): string | undefined {
  const isSaid = block.title === title && block === blocks.find((one) => one.title !== undefined);
  return isSaid ? undefined : block.title;
}

/** Describes the omitted beginning of a list. */
export function omittedText(count: number): string {
  return count === 1 ? '1 earlier one' : `${count} earlier ones`;
}

/** Returns the typed syntax of an action: `add title=… [pages=…]`. */
export function usageOf({ action, isOfRow }: DescribedAction): string {
  return [action.id, ...(isOfRow ? ['<row>'] : []), ...(action.input ? [usageOfFields(action.input)] : [])].join(' ');
}

/** Returns the typed syntax of the fields: `title=… [pages=1…10000]`. */
export function usageOfFields({ properties, required = [] }: ViewInput): string {
  return Object.entries(properties)
    .map(([name, field]) => `${name}=${placeholderOf(field)}`)
    .map((written) => (required.includes(written.slice(0, written.indexOf('='))) ? written : `[${written}]`))
    .join(' ');
}

/** Returns the arguments that show the same view again, without default values. */
export function addressOf({ name = '', parameters }: View): string {
  const { input, values = {} } = parameters ?? {};
  const filled = Object.entries(values).filter(([field, value]) => value !== '' && value !== input?.properties[field]?.default);
  return [name, ...filled.map(([field, value]) => `${field}=${quoteWord(plain(wordOf(value)))}`)].join(' ');
}

/** Describes the parameters of a view, and how to change them. Empty if the view has none. */
export function parameterTexts({ name, parameters }: View, command: string): readonly (readonly [title: string, text: string])[] {
  if (!parameters) return [];
  const { input, values } = parameters;
  const shown = Object.entries(input.properties).map(([field, { title = field }]) => {
    const value = values[field];
    return `${plain(title)} ${value === undefined || value === '' ? '–' : plain(wordOf(value))}`;
  });
  return [
    ['Shown with', shown.join(', ')],
    ['Change parameters', `${command} ${name} ${usageOfFields(input)}`],
  ];
}

function wordOf(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

/** Quotes text so that a command line parses it as one word with the original content. */
export function quoteWord(text: string): string {
  return /[\s"]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;
}

function placeholderOf({ type, enum: choices, minimum, maximum, default: usual }: InputField): string {
  if (choices) return choices.slice(0, 4).map(plain).join('|') + (choices.length > 4 ? '|…' : '');
  if (type === 'boolean') return 'yes|no';
  if (type === 'string') return '…';
  return minimum !== undefined && maximum !== undefined ? `${minimum}…${maximum}` : String(usual ?? minimum ?? maximum ?? 0);
}
