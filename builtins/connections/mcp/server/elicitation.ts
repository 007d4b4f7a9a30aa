// Asks the user a server's questions field by field, and validates each answer against the server's schema.
import { isRecord } from '#lib/values';
import { cutLine, cutText } from './foreign-text.ts';

/** Asks the user one question. */
export type AskPerson = (prompt: string, options?: readonly string[]) => Promise<string>;

export type ElicitAnswer =
  { readonly action: 'accept'; readonly content: Record<string, string | number | boolean | string[]> } | { readonly action: 'decline' | 'cancel' };

interface Field {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly isRequired: boolean;
}

type Value = string | number | boolean | string[];

const mostFields = 20;
const mostTries = 3;
const mostOptions = 12;
const yes = 'Answer';
const no = 'Decline';

/** Asks for the fields of a form. @param params parameters of `elicitation/create` in form mode */
export async function askFields(
  server: string,
  params: { readonly message: string; readonly requestedSchema?: unknown },
  ask: AskPerson,
): Promise<ElicitAnswer> {
  const fields = fieldsOf(params.requestedSchema);
  if (fields.length > mostFields) return { action: 'cancel' };
  const intro = `The MCP server '${server}' asks: ${cutText(params.message, 2_000)}`;
  const wanted = fields.length === 0 ? '' : `\nIt requests: ${fields.map(({ name, schema }) => titleOf(name, schema)).join(', ')}.`;
  const consent = await ask(`${intro}${wanted}`, [yes, no]);
  if (consent.trim().toLowerCase() !== yes.toLowerCase()) return { action: 'decline' };
  const content: Record<string, Value> = {};
  for (const field of fields) {
    const value = await askField(server, field, ask);
    if (value === 'refused') return { action: 'cancel' };
    if (value !== undefined) content[field.name] = value.value;
  }
  return { action: 'accept', content };
}

async function askField(server: string, field: Field, ask: AskPerson): Promise<{ value: Value } | 'refused' | undefined> {
  const options = optionsOf(field.schema);
  for (let attempt = 1, complaint = ''; attempt <= mostTries; attempt++) {
    const answer = (
      await ask(`${complaint}${promptOf(server, field)}`, options.length > 0 && options.length <= mostOptions ? options.map(({ label }) => label) : undefined)
    ).trim();
    const fallback = field.schema['default'];
    if (answer === '' && isValue(fallback)) return { value: fallback };
    if (answer === '' && !field.isRequired) return undefined;
    const read = readAnswer(answer, field.schema, options);
    if ('value' in read) return read;
    complaint = `${read.fault} `;
  }
  return field.isRequired ? 'refused' : undefined;
}

function promptOf(server: string, { name, schema, isRequired }: Field): string {
  const description = cutLine(textOf(schema['description']), 500);
  const fallback = isValue(schema['default']) ? ` Leave empty for: ${String(schema['default'])}.` : isRequired ? '' : ' Leave empty to skip it.';
  return `The MCP server '${server}' asks for ${titleOf(name, schema)}${description === '' ? '' : ` – ${description}`}.${hintOf(schema)}${fallback}`;
}

function hintOf(schema: Record<string, unknown>): string {
  if (schema['type'] === 'number') return ' A number.';
  if (schema['type'] === 'integer') return ' A whole number.';
  return schema['type'] === 'array'
    ? ` One or more of these, with commas: ${optionsOf(schema)
        .map(({ label }) => label)
        .join(', ')}.`
    : '';
}

type Reading = { readonly value: Value } | { readonly fault: string };

function readAnswer(answer: string, schema: Record<string, unknown>, options: readonly Option[]): Reading {
  if (schema['type'] === 'boolean') {
    const word = answer.toLowerCase();
    if (['yes', 'true'].includes(word)) return { value: true };
    return ['no', 'false'].includes(word) ? { value: false } : { fault: 'Answer yes or no.' };
  }
  if (schema['type'] === 'number' || schema['type'] === 'integer') return readNumber(answer, schema);
  if (schema['type'] === 'array') {
    const chosen = answer.split(',').map((part) => pick(part, options));
    return chosen.every((one) => one !== undefined) ? { value: chosen } : { fault: 'Choose from the list.' };
  }
  if (options.length > 0) {
    const chosen = pick(answer, options);
    return chosen === undefined ? { fault: 'Choose from the list.' } : { value: chosen };
  }
  const [least, most] = [numberOf(schema['minLength']) ?? 0, numberOf(schema['maxLength']) ?? 10_000];
  return answer.length < least || answer.length > most ? { fault: `Enter ${least} to ${most} characters.` } : { value: answer };
}

function readNumber(answer: string, schema: Record<string, unknown>): Reading {
  const value = Number(answer);
  if (!Number.isFinite(value) || (schema['type'] === 'integer' && !Number.isSafeInteger(value))) return { fault: 'Enter a valid number.' };
  const [least, most] = [numberOf(schema['minimum']) ?? -Infinity, numberOf(schema['maximum']) ?? Infinity];
  return value < least || value > most ? { fault: `Enter a number from ${least} to ${most}.` } : { value };
}

interface Option {
  readonly value: string;
  readonly label: string;
}

function optionsOf(schema: Record<string, unknown>): Option[] {
  if (schema['type'] === 'boolean')
    return [
      { value: 'true', label: 'yes' },
      { value: 'false', label: 'no' },
    ];
  if (schema['type'] === 'array') return isRecord(schema['items']) ? optionsOf(schema['items']) : [];
  const titled = [schema['oneOf'], schema['anyOf']].find(Array.isArray) as unknown[] | undefined;
  if (titled)
    return titled.flatMap((one) =>
      isRecord(one) && typeof one['const'] === 'string' ? [{ value: one['const'], label: labelOf(one['title'], one['const']) }] : [],
    );
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]).filter((one) => typeof one === 'string') : [];
  const names = Array.isArray(schema['enumNames']) ? (schema['enumNames'] as unknown[]) : [];
  return values.map((value, index) => ({ value, label: labelOf(names[index], value) }));
}

function labelOf(title: unknown, value: string): string {
  return cutLine(textOf(title) || value, 200);
}

function pick(answer: string, options: readonly Option[]): string | undefined {
  const wanted = answer.trim().toLowerCase();
  return options.find(({ value, label }) => label.toLowerCase() === wanted || value.toLowerCase() === wanted)?.value;
}

function fieldsOf(schema: unknown): Field[] {
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};
  const required = isRecord(schema) && Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.entries(properties).flatMap(([name, one]) => (isRecord(one) ? [{ name, schema: one, isRequired: required.includes(name) }] : []));
}

function titleOf(name: string, schema: Record<string, unknown>): string {
  return `'${cutLine(textOf(schema['title']) || name, 100)}'`;
}

function isValue(value: unknown): value is Value {
  return ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
