// Validates a plugin's view, and a user's input for an action. Loaded with the first view.
import { linesOfDiff } from '#lib/diff-parts';
import { lateAjv } from '#lib/late-ajv';
import { isRecord } from '#lib/values';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { blockSchemas, frameSchema, inputSchema, limits, type Block, type View, type ViewAction, type ViewInput, type ViewValues } from './view-schema.ts';
import { valueOf } from './view-call.ts';
import { actionsOf } from './view-texts.ts';

export type Filled = { readonly values: ViewValues } | { readonly problem: string };

export interface ViewChecks {
  /**
   * Returns the error in a view; `undefined` for a valid one. `view` may be any value, because it comes from JavaScript.
   * @param most maximum length of the JSON in UTF-16 code units
   */
  findFault(view: unknown, most?: number): string | undefined;
  /** Returns the error in the parameters that a view declares; `undefined` if they are valid. */
  findInputFault(input: unknown): string | undefined;
  /** Converts string values from a URL or a command line to the types of their fields; other values stay unchanged. */
  readTexts(input: ViewInput, given: unknown): unknown;
  /** Returns the input with defaults, or its error. @param asked the action, or another object with an input */
  fillIn(asked: Pick<ViewAction, 'id' | 'input'>, given: unknown): Filled;
}

export function createViewChecks(): ViewChecks {
  const ajv = new (lateAjv().Ajv2020)({ strict: false, validateFormats: false, addUsedSchema: false, logger: false });
  const frame = ajv.compile(frameSchema);
  const input = ajv.compile(inputSchema);
  const blocks = new Map<string, ValidateFunction>();

  function findFault(view: unknown, most: number = limits.whole): string | undefined {
    const size = sizeOf(view);
    if (size === undefined) return 'it cannot be serialized as JSON.';
    if (size > most) return `it has ${size} characters of JSON; the limit is ${most}.`;
    if (!frame(view)) return faultOf(frame.errors);
    const shown = view as unknown as View;
    for (const [at, block] of shown.blocks.entries()) {
      let check = blocks.get(block.kind);
      if (!check) blocks.set(block.kind, (check = ajv.compile(blockSchemas[block.kind])));
      if (!check(block)) return faultOf(check.errors, `/blocks/${at}`);
      const odd = findOddBlock(block, shown);
      if (odd !== undefined) return `/blocks/${at} ${odd}`;
    }
    const wrong = everyAction(shown).find((action) => action.input && requiresMore(action.input));
    return wrong && `the action '${wrong.id}' requires a field that it does not have.`;
  }

  /** Returns the first error in values. Does not cache the schema, which belongs to one call. */
  function firstError(schema: ViewInput, values: unknown): ErrorObject | undefined {
    const validate = ajv.compile(schema);
    try {
      return validate(values) ? undefined : validate.errors?.[0];
    } finally {
      ajv.removeSchema(schema);
    }
  }

  return {
    findFault,
    readTexts,
    findInputFault(given) {
      if (!input(given)) return faultOf(input.errors, '/parameters');
      return requiresMore(given) ? '/parameters requires a field that it does not have.' : undefined;
    },
    fillIn({ id, input: schema }, given) {
      const values = given ?? {};
      if (!isRecord(values)) return { problem: 'The input must be an object.' };
      if (!schema) return Object.keys(values).length === 0 ? { values: {} } : { problem: `'${id}' has no input.` };
      const strange = Object.keys(values).find((name) => !Object.hasOwn(schema.properties, name));
      if (strange !== undefined) return { problem: `There is no field '${strange}'.` };
      const filled = withDefaults(schema, values);
      const error = firstError(schema, filled);
      if (error) return { problem: wordsOf(schema, error) };
      const missing = schema.required?.find((name) => filled[name] === '');
      if (missing !== undefined) return { problem: `${titleOf(schema, missing)} is needed.` };
      return { values: filled as ViewValues };
    },
  };
}

function readTexts({ properties }: ViewInput, given: unknown): unknown {
  if (!isRecord(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field = properties[name];
      return [name, field && typeof value !== 'boolean' ? valueOf(String(value), field) : value];
    }),
  );
}

function requiresMore({ required = [], properties }: ViewInput): boolean {
  return required.some((name) => !Object.hasOwn(properties, name));
}

function everyAction({ actions = [], blocks }: View): readonly ViewAction[] {
  return [...actions, ...blocks.flatMap((block) => ('rowActions' in block ? (block.rowActions ?? []) : []))];
}

function withDefaults(schema: ViewInput, values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema.properties).flatMap(([name, field]) => {
      // An empty form field is treated as missing.
      const value = values[name] === '' && field.type !== 'string' ? undefined : (values[name] ?? undefined);
      const filled = value ?? field.default;
      return filled === undefined ? [] : [[name, filled]];
    }),
  );
}

/** Returns the length of the JSON in UTF-16 code units; `undefined` if the view cannot be serialized. */
function sizeOf(view: unknown): number | undefined {
  try {
    return JSON.stringify(view)?.length;
  } catch {
    return undefined;
  }
}

function findOddBlock(block: Block, view: View): string | undefined {
  if (block.kind === 'table') {
    const at = block.rows.findIndex(({ cells }) => cells.length !== block.columns.length);
    return at < 0 ? undefined : `has ${block.rows[at]?.cells.length} cells in row ${at} for ${block.columns.length} columns.`;
  }
  if (block.kind === 'chart') {
    const odd = block.series.find(({ values }) => values.length !== block.labels.length);
    return odd && `has ${odd.values.length} values of '${odd.title}' for ${block.labels.length} labels.`;
  }
  if (block.kind === 'diff' && block.hunks) {
    const heads = linesOfDiff(block.diff);
    if (heads.filter(({ kind }) => kind === 'file').length > 1) return 'has hunks of more than one file.';
    const count = heads.filter(({ kind }) => kind === 'hunk').length;
    if (block.hunks.length > count) return `has ${block.hunks.length} hunks, but its diff has ${count}.`;
  }
  if (block.kind === 'form' && !actionsOf(view).some(({ action, isOfRow }) => !isOfRow && action.id === block.action && action.input !== undefined))
    return `is a form of '${block.action}', which is no action of the view with an input.`;
  return undefined;
}

function faultOf(errors: readonly ErrorObject[] | null | undefined, before = ''): string {
  const error = errors?.at(-1);
  if (!error) return 'it does not have the format of a view.';
  const { instancePath, message = 'is wrong', keyword, params } = error;
  const more =
    keyword === 'additionalProperties' ? `: '${String(params['additionalProperty'])}'` : keyword === 'enum' ? `: ${String(params['allowedValues'])}` : '';
  return `${before}${instancePath || (before === '' ? 'it' : '')} ${message}${more}.`;
}

function titleOf(schema: ViewInput, name: string): string {
  return schema.properties[name]?.title ?? name;
}

function wordsOf(schema: ViewInput, { keyword, params, instancePath, message = 'does not fit' }: ErrorObject): string {
  if (keyword === 'required') return `${titleOf(schema, String(params['missingProperty']))} is needed.`;
  const name = instancePath.slice(1);
  const choices = keyword === 'enum' ? `: ${String(params['allowedValues'])}` : '';
  return `${titleOf(schema, name)} ${message}${choices}.`;
}
