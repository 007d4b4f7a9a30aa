// Parses the model list of OpenAI-compatible servers, which use the same structure but different fields. Pure.
import type { ListedModel, ModelFault } from 'agent-harness/plugins/models';

type Row = Readonly<Record<string, unknown>>;

const mostModels = 5_000;
const longestName = 300;
/** Names of the field with the context length in tokens. */
const lengthFields = ['context_length', 'context_window', 'max_model_len', 'max_context_length', 'max_input_tokens', 'inputTokenLimit'];
/** Names of the field with the shutdown date. */
const shutdownFields = ['shutdown_date', 'deprecation_date', 'expiration_date', 'retirement_date'];
/** Maximum time value of `Date`, in milliseconds. */
const latestTime = 8.64e15;
const perMillion = 1_000_000;

export function readList(payload: unknown): ListedModel[] | ModelFault {
  const rows: unknown = Array.isArray(payload) ? payload : isRow(payload) ? (payload['data'] ?? payload['models']) : undefined;
  if (!Array.isArray(rows)) return { ok: false, kind: 'bad_reply', message: 'the provider returned no list of models at /models' };
  return rows
    .slice(0, mostModels)
    .flatMap((row: unknown) => (isRow(row) ? readModel(row) : []))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}

function readModel(row: Row): ListedModel[] {
  const id = textOf(row['id']);
  if (id === undefined) return [];
  const name = textOf(row['name']) ?? textOf(row['display_name']);
  const contextLength = lengthFields.map((field) => countOf(row[field])).find((count) => count !== undefined);
  const price = priceOf(row['pricing']);
  const shutdownOn = shutdownFields.map((field) => dayOf(row[field])).find((day) => day !== undefined);
  return [
    {
      id,
      ...(name === undefined || name === id ? {} : { name }),
      ...(contextLength === undefined ? {} : { contextLength }),
      ...(price ? { price } : {}),
      ...(shutdownOn === undefined ? {} : { shutdownOn }),
      ...(acceptsAudio(row['architecture']) ? { takesAudio: true } : {}),
    },
  ];
}

/** Converts a date string, or seconds since 1970, to a day. */
function dayOf(value: unknown): string | undefined {
  const time = typeof value === 'number' ? value * 1_000 : typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(time) || Math.abs(time) > latestTime ? undefined : new Date(time).toISOString().slice(0, 10);
}

/** Returns whether the model accepts audio, based on the input types that OpenRouter and compatible servers report. */
function acceptsAudio(architecture: unknown): boolean {
  const taken: unknown = isRow(architecture) ? architecture['input_modalities'] : undefined;
  return Array.isArray(taken) && taken.includes('audio');
}

/** Converts a price in USD per token (strings `prompt`, `completion`) or in USD per million tokens (numbers `input`, `output`). */
function priceOf(pricing: unknown): ListedModel['price'] {
  if (!isRow(pricing)) return undefined;
  const { prompt, completion, input, output } = pricing;
  if (prompt !== undefined) return pairOf(Number(prompt) * perMillion, Number(completion) * perMillion);
  return typeof input === 'number' ? pairOf(input, Number(output)) : undefined;
}

function pairOf(input: number, output: number): ListedModel['price'] {
  if (!(input >= 0) || !(output >= 0)) return undefined;
  const plain = (price: number): number => Number(price.toFixed(6));
  return { input: plain(input), output: plain(output) };
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' && value.length <= longestName ? value : undefined);
const countOf = (value: unknown): number | undefined => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined);
