// Defines the schema of a view, from which its type, its validation and its API description derive.
import { oneOf } from '#lib/schemas';
import * as Type from 'typebox';
import type { Frozen } from '#lib/values';

const optional = Type.Optional;
const strict = { additionalProperties: false };
const label = Type.String({ minLength: 1, maxLength: 200 });
const id = Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]*$' });

/** Limits of a view; longer content belongs in the result of an action or in an artifact. */
export const limits = {
  blocks: 40,
  rows: 500,
  columns: 12,
  bars: 400,
  series: 6,
  fields: 40,
  choices: 100,
  text: 20_000,
  diff: 200_000,
  hunks: 1_000,
  whole: 262_144,
  kept: 65_536,
} as const;

const stateSchema = oneOf(['pending', 'active', 'done', 'failed', 'stopped']);
const cell = Type.Union([Type.String({ maxLength: 2_000 }), Type.Number(), Type.Null()], {
  description: 'Value according to its kind: money in USD, a share from 0 to 1, a time in ISO 8601, the name of a state. `null`: no value.',
});
const cellKind = optional(oneOf(['text', 'number', 'money', 'share', 'time', 'state']));

const inputField = Type.Object(
  {
    type: oneOf(['string', 'number', 'integer', 'boolean']),
    title: optional(label),
    description: optional(Type.String({ maxLength: 500 })),
    default: optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Number(), Type.Boolean()])),
    enum: optional(Type.Array(label, { minItems: 1, maxItems: limits.choices, description: 'Allowed values of a string.' })),
    format: optional(
      Type.Unsafe<'multiline' | 'chat'>({
        type: 'string',
        enum: ['multiline', 'chat'],
        description: 'Format of a string: text of several lines, or the id of a chat.',
      }),
    ),
    minLength: optional(Type.Integer({ minimum: 0 })),
    maxLength: optional(Type.Integer({ minimum: 0 })),
    minimum: optional(Type.Number()),
    maximum: optional(Type.Number()),
  },
  strict,
);
/** Schema of the input of an action, also used for the parameters of a view. */
export const inputSchema = Type.Object(
  {
    type: Type.Literal('object'),
    title: optional(
      Type.String({ minLength: 1, maxLength: 120, description: 'For parameters of a view: title of the collapsed section with the fields on the page.' }),
    ),
    properties: Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9_]{0,40}$' }), inputField, { minProperties: 1, maxProperties: limits.fields }),
    required: optional(Type.Array(Type.String(), { maxItems: limits.fields })),
  },
  { ...strict, description: 'Input of the action, as a JSON Schema of one level.' },
);
export const actionSchema = Type.Object(
  {
    id,
    label,
    kind: optional(oneOf(['primary', 'danger'])),
    confirm: optional(Type.String({ minLength: 1, maxLength: 500, description: 'Question that the user must confirm before the action runs.' })),
    input: optional(inputSchema),
    changesNothing: optional(
      Type.Literal(true, { description: 'Set if the action only displays something: its result stays, and clients do not reload the view afterwards.' }),
    ),
  },
  strict,
);
const actions = optional(Type.Array(actionSchema, { maxItems: 20 }));
const value = Type.Union([Type.String({ maxLength: 10_000 }), Type.Number(), Type.Boolean()]);
const opens = Type.Object(
  {
    chat: optional(Type.String({ minLength: 1, maxLength: 100, description: 'Id of a chat.' })),
    parameters: optional(Type.Record(Type.String(), value, { maxProperties: limits.fields, description: 'The same view with these parameters changed.' })),
  },
  { ...strict, description: 'Link target of the row, for clients with links; set one field.' },
);
/** Schemas of the fields of a row. Actions address the row by `id`; `actions` restricts the actions of its block; default: all of them. */
const ofRow = { id: optional(id), actions: optional(Type.Array(id, { maxItems: 20 })), opens: optional(opens) };

const title = optional(label);
const block = <K extends string, F extends Type.TProperties>(kind: K, fields: F) => Type.Object({ kind: Type.Literal(kind), title, ...fields }, strict);
/** Schemas of blocks by kind. */
export const blockSchemas = {
  text: block('text', {
    text: Type.String({ maxLength: limits.text, description: 'Text in markdown.' }),
    isPlain: optional(Type.Boolean({ description: 'Displays the text verbatim instead of as markdown.' })),
    isGrowing: optional(Type.Boolean({ description: 'Set while the text is being written, so markup may be incomplete at its end.' })),
  }),
  fields: block('fields', {
    fields: Type.Array(Type.Object({ label, value: cell, kind: cellKind }, strict), { maxItems: limits.fields }),
  }),
  table: block('table', {
    columns: Type.Array(Type.Object({ title: label, kind: cellKind }, strict), { minItems: 1, maxItems: limits.columns }),
    rows: Type.Array(Type.Object({ ...ofRow, cells: Type.Array(cell, { maxItems: limits.columns }) }, strict), { maxItems: limits.rows }),
    rowActions: actions,
  }),
  list: block('list', {
    items: Type.Array(
      Type.Object(
        {
          ...ofRow,
          text: Type.String({ maxLength: 2_000 }),
          detail: optional(Type.String({ maxLength: 2_000 })),
          state: optional(stateSchema),
          level: optional(Type.Integer({ minimum: 0, maximum: 6, description: 'Depth of the item in a tree; default: 0.' })),
        },
        strict,
      ),
      { maxItems: limits.rows },
    ),
    isOrdered: optional(Type.Boolean({ description: 'Whether the list is numbered.' })),
    isCompact: optional(Type.Boolean({ description: 'Displays each item in one line, with as much of its detail as fits.' })),
    omitted: optional(Type.Integer({ minimum: 1, description: 'Number of rows that are omitted before the first.' })),
    rowActions: actions,
  }),
  chart: block('chart', {
    form: oneOf(['bars', 'line']),
    labels: Type.Array(Type.String({ maxLength: 100 }), { maxItems: limits.bars }),
    labelKind: optional(oneOf(['text', 'time'])),
    series: Type.Array(
      Type.Object({ title: label, values: Type.Array(Type.Number(), { maxItems: limits.bars, description: 'One value for each label.' }) }, strict),
      { minItems: 1, maxItems: limits.series, description: 'Data series; the bars of several series are stacked.' },
    ),
    unit: optional(Type.String({ maxLength: 20, description: 'Unit of the values; `USD` is formatted as money.' })),
  }),
  diff: block('diff', {
    path: optional(Type.String({ maxLength: 1_000 })),
    diff: Type.String({ maxLength: limits.diff, description: 'A unified diff.' }),
    hunks: optional(
      Type.Array(Type.Object(ofRow, strict), {
        maxItems: limits.hunks,
        description: 'The hunks of the diff, in order, as rows with actions. Hunks after the last listed one have no actions.',
      }),
    ),
    rowActions: actions,
  }),
  progress: block('progress', {
    label,
    value: optional(Type.Number({ minimum: 0, maximum: 1, description: 'Progress from 0 to 1; omitted if unknown.' })),
    detail: optional(Type.String({ maxLength: 500 })),
  }),
  form: block('form', { action: Type.String({ description: 'Id of the action whose input fields are displayed here instead of behind a button.' }) }),
} as const;

const heading = { name: optional(Type.String({ description: 'Name of the contribution, to which actions are sent.' })), title };
/** Schema of a view without the content of its blocks, which is validated by kind, because errors must name the kind. */
export const frameSchema = Type.Object(
  {
    ...heading,
    blocks: Type.Array(Type.Object({ kind: oneOf(Object.keys(blockSchemas) as BlockKind[]) }), { maxItems: limits.blocks }),
    actions,
  },
  strict,
);
const parameters = Type.Object(
  { input: inputSchema, values: Type.Record(Type.String(), value) },
  { ...strict, description: 'Parameters of the view with the values of this read, which clients send with actions. Set by the server.' },
);
export const viewSchema = Type.Object(
  { ...heading, blocks: Type.Array(Type.Union(Object.values(blockSchemas))), actions, parameters: optional(parameters) },
  strict,
);

export type BlockKind = keyof typeof blockSchemas;
export type Block<K extends BlockKind = BlockKind> = { readonly [P in K]: Frozen<Type.Static<(typeof blockSchemas)[P]>> }[K];
export type ViewAction = Frozen<Type.Static<typeof actionSchema>>;
export type ViewInput = NonNullable<ViewAction['input']>;
export type InputField = ViewInput['properties'][string];
/** Input of an action, or parameters of a view. */
export type ViewValues = Readonly<Record<string, string | number | boolean>>;
export type CellKind = 'text' | 'number' | 'money' | 'share' | 'time' | 'state';
export type Cell = string | number | null;
export type RowState = Type.Static<typeof stateSchema>;

/** UI content as data without code, which any client can display. */
export interface View {
  readonly name?: string;
  readonly title?: string;
  readonly blocks: readonly Block[];
  readonly actions?: readonly ViewAction[];
  /** Parameters of the view; set by the server, not by the plugin. */
  readonly parameters?: { readonly input: ViewInput; readonly values: ViewValues };
}
