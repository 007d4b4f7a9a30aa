// Parses a chat completion request, computes its maximum cost, and builds the request body for the provider. Pure.
import { isRecord } from '#lib/values';
import { readPassedJson } from './passed-json.ts';
import { affordableOutput, tokenCost, type PriceEntry } from './price.ts';

export interface ChatRequest {
  readonly model: string;
  readonly isStream: boolean;
  /** Whether the caller requested the usage chunk. */
  readonly wantsUsage: boolean;
  /** Largest token limit of the request. */
  readonly maxTokens?: number;
  /** Estimated number of input tokens; the estimate tends to be too high. */
  readonly inputTokens: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

export interface Offer {
  /** Minimum credit; with less, an answer would be too short to be useful. */
  readonly minimumMicro: number;
  readonly wantedMicro: number;
  readonly inputMicro: number;
}

/** Minimum output tokens of a call, unless the caller requests fewer. */
export const leastOutput = 256;

/** Conservative: a token of English text has more than four bytes; a token of code or another script has fewer. */
const bytesPerToken = 3;
const tokensPerMessage = 4;
const tokensAround = 4;
/** Fields that the model reads. */
const countedFields = ['messages', 'tools', 'functions', 'response_format'];
/** Number of tokens of a large image in full detail. */
const tokensPerPicture = 1_700;
const soundBytesPerToken = 600;
const common = new Set(['role', 'content', 'type', 'text']);

/** Names of the output limit, in order of preference; some providers support only the newer name. */
const limitNames = ['max_completion_tokens', 'max_tokens'] as const;
const allowedFields: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'usage', 'n', 'service_tier', 'user', 'safety_identifier', 'metadata', 'store', ...limitNames],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call', 'response_format', 'stop', 'verbosity', 'prompt_cache_key'],
  ...['temperature', 'top_p', 'top_k', 'min_p', 'top_a', 'frequency_penalty', 'presence_penalty', 'repetition_penalty', 'seed', 'random_seed'],
  ...['logit_bias', 'logprobs', 'top_logprobs', 'reasoning', 'reasoning_effort', 'include_reasoning', 'thinking', 'enable_thinking', 'chat_template_kwargs'],
]);
/** Tools that the caller runs. Other tools are paid services of the provider. */
const ownTools: ReadonlySet<unknown> = new Set(['function', 'custom', undefined]);

/** Parses a request. Returns the reason if the request is not forwarded. */
export function readChatRequest(bytes: Buffer): ChatRequest | string {
  const fields = readPassedJson(bytes, allowedFields);
  if (typeof fields === 'string') return fields;
  const { model, messages, stream, n, service_tier: tier, tools } = fields;
  if (typeof model !== 'string' || model === '' || model.length > 300) return "'model' must be the name of a model.";
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' must be a list with at least one message.";
  if (tier != null && tier !== 'auto' && tier !== 'default') return "'service_tier' must be left out, because other tiers have other prices.";
  if (n != null && n !== 1) return "'n' must be left out. Send several requests for several answers.";
  if (Array.isArray(tools) && !tools.every((tool) => isRecord(tool) && ownTools.has(tool['type'])))
    return "'tools' contains a tool of the provider, which has a separate price. Only tools of the types 'function' and 'custom' are allowed.";
  const wrong = limitNames.find((name) => fields[name] != null && !(Number.isSafeInteger(fields[name]) && (fields[name] as number) >= 1));
  if (wrong !== undefined) return `'${wrong}' must be a positive number of tokens.`;
  const limits = limitNames.flatMap((name) => (fields[name] as number | null | undefined) ?? []);
  const options = fields['stream_options'];
  return {
    model,
    isStream: stream === true,
    wantsUsage: isRecord(options) && options['include_usage'] === true,
    ...(limits.length > 0 ? { maxTokens: Math.max(...limits) } : {}),
    inputTokens: tokensAround + messages.length * tokensPerMessage + Math.ceil(countTokens(countedFields.map((name) => fields[name]))),
    fields,
    bytes,
  };
}

/** Counts the tokens of all texts and of unusual field names. */
function countTokens(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) / bytesPerToken;
  if (typeof value !== 'object' || value === null) return value === undefined || value === null ? 0 : 1;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + countTokens(one), 0);
  const part = value as Readonly<Record<string, unknown>>;
  if (part['type'] === 'image_url') return tokensPerPicture;
  const sound = part['type'] === 'input_audio' && isRecord(part['input_audio']) ? part['input_audio']['data'] : undefined;
  if (typeof sound === 'string') return sound.length / soundBytesPerToken;
  return Object.entries(part).reduce((sum, [name, one]) => sum + (common.has(name) ? 0 : name.length / bytesPerToken) + countTokens(one), 0);
}

/** Returns the credit to reserve for a request. @param usualMax assumed output tokens if the caller sets no limit */
export function offerFor({ inputTokens, maxTokens }: ChatRequest, price: PriceEntry, usualMax: number): Offer {
  const most = maxTokens ?? usualMax;
  const cost = (output: number): number => tokenCost(price, { input: inputTokens, cached: 0, output });
  return { inputMicro: cost(0), minimumMicro: cost(Math.min(leastOutput, most)), wantedMicro: cost(most) };
}

/** Returns the output limit that the credit covers, and whether it is below the limit of the caller. */
export function limitFor(
  { maxTokens }: ChatRequest,
  price: PriceEntry,
  { inputMicro, wantedMicro }: Offer,
  grantedMicro: number,
  usualMax: number,
): { readonly maxTokens: number; readonly isShrunk: boolean } {
  const most = maxTokens ?? usualMax;
  if (grantedMicro >= wantedMicro) return { maxTokens: most, isShrunk: false };
  return { maxTokens: Math.min(most, affordableOutput(price, inputMicro, grantedMicro)), isShrunk: true };
}

/** Returns the caller's bytes with one output limit and the usage option. */
export function bodyFor({ bytes, fields, isStream, wantsUsage, maxTokens: asked }: ChatRequest, maxTokens: number): Buffer {
  const options = fields['stream_options'];
  const limitName = limitNames.find((name) => fields[name] != null) ?? 'max_tokens';
  const isTwice = limitNames.every((name) => name in fields);
  const added = {
    ...(asked === maxTokens && !isTwice ? {} : { [limitName]: maxTokens }),
    ...(isStream && !wantsUsage ? { stream_options: { ...(isRecord(options) ? options : {}), include_usage: true } } : {}),
  };
  const names = Object.keys(added);
  if (names.length === 0) return bytes;
  if (names.some((name) => name in fields)) {
    const others = Object.entries(fields).filter(([name]) => !limitNames.some((one) => one === name) || name === limitName);
    return Buffer.from(JSON.stringify({ ...Object.fromEntries(others), ...added }));
  }
  // Keeps the bytes unchanged if possible, because serialising them again would round large numbers.
  const end = bytes.lastIndexOf('}');
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`,${JSON.stringify(added).slice(1)}`)]);
}
