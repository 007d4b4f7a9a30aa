// A request for a chat completion: what it may come to, and what the provider gets of it. Pure.
import { isRecord } from 'agent-harness/lib/values';
import { readPassedJson } from './passed-json.ts';
import { affordableOutput, tokenCost, type PriceEntry } from './price.ts';

export interface ChatRequest {
  readonly model: string;
  readonly isStream: boolean;
  /** The caller wants the chunk that tells the usage. */
  readonly wantsUsage: boolean;
  /** How many answers at once. */
  readonly choices: number;
  /** Tokens for each answer, where the caller says. */
  readonly maxTokens?: number;
  /** Rather too many than too few. */
  readonly inputTokens: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

export interface Offer {
  /** Below it an answer would be too short to be of use. */
  readonly minimumMicro: number;
  readonly wantedMicro: number;
  readonly inputMicro: number;
}

/** Fewer output tokens than this are not worth a call, unless the caller asks for fewer. */
export const leastOutput = 256;

/** Of English text a token has more than four bytes, of code and other scripts fewer. */
const bytesPerToken = 3;
const tokensPerMessage = 4;
const tokensAround = 4;
/** What the model reads. */
const weighed = ['messages', 'tools', 'functions', 'response_format', 'prediction'];
/** A large picture in full detail. */
const tokensPerPicture = 1_700;
const soundBytesPerToken = 600;
const mostChoices = 128;
const common = new Set(['role', 'content', 'type', 'text']);

/** Rejects nothing that a provider may know, but what would cost something else than its price says. Answers why. */
export function readChatRequest(bytes: Buffer): ChatRequest | string {
  const fields = readPassedJson(bytes);
  if (typeof fields === 'string') return fields;
  const { model, messages, stream, n = 1, models, service_tier: tier } = fields;
  if (typeof model !== 'string' || model === '' || model.length > 300) return "'model' names no model.";
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' is no list of messages.";
  if (models !== undefined) return "'models' names further models, whose prices differ; name one in 'model'.";
  if (tier != null && tier !== 'auto' && tier !== 'default') return "'service_tier' has another price; leave it out.";
  if (!Number.isInteger(n) || (n as number) < 1 || (n as number) > mostChoices) return `'n' is no number from 1 to ${mostChoices}.`;
  const limits = [fields['max_tokens'], fields['max_completion_tokens']].filter((one) => one != null);
  if (limits.some((one) => !Number.isSafeInteger(one) || (one as number) < 1)) return "'max_tokens' is no number of tokens.";
  const options = fields['stream_options'];
  return {
    model,
    isStream: stream === true,
    wantsUsage: isRecord(options) && options['include_usage'] === true,
    choices: n as number,
    ...(limits.length > 0 ? { maxTokens: Math.min(...(limits as number[])) } : {}),
    inputTokens: tokensAround + messages.length * tokensPerMessage + Math.ceil(weigh(weighed.map((name) => fields[name]))),
    fields,
    bytes,
  };
}

/** Tokens of all texts in it, and of the names of its fields but those that every message has. */
function weigh(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) / bytesPerToken;
  if (typeof value !== 'object' || value === null) return value === undefined || value === null ? 0 : 1;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + weigh(one), 0);
  const part = value as Readonly<Record<string, unknown>>;
  if (part['type'] === 'image_url') return tokensPerPicture;
  const sound = part['type'] === 'input_audio' && isRecord(part['input_audio']) ? part['input_audio']['data'] : undefined;
  if (typeof sound === 'string') return sound.length / soundBytesPerToken;
  return Object.entries(part).reduce((sum, [name, one]) => sum + (common.has(name) ? 0 : name.length / bytesPerToken) + weigh(one), 0);
}

/** @param usualMax tokens for each answer where the caller sets no limit */
export function offerFor({ inputTokens, choices, maxTokens }: ChatRequest, price: PriceEntry, usualMax: number): Offer {
  const most = maxTokens ?? usualMax;
  const cost = (output: number): number => tokenCost(price, { input: inputTokens, cached: 0, output: output * choices });
  return { inputMicro: cost(0), minimumMicro: cost(Math.min(leastOutput, most)), wantedMicro: cost(most) };
}

/** The limit that the credit pays for, and whether it is less than the caller asked for. */
export function limitFor(
  { choices, maxTokens }: ChatRequest,
  price: PriceEntry,
  { inputMicro, wantedMicro }: Offer,
  grantedMicro: number,
  usualMax: number,
): { readonly maxTokens: number; readonly isShrunk: boolean } {
  const most = maxTokens ?? usualMax;
  if (grantedMicro >= wantedMicro) return { maxTokens: most, isShrunk: false };
  return { maxTokens: Math.min(most, Math.floor(affordableOutput(price, inputMicro, grantedMicro) / choices)), isShrunk: true };
}

/** The bytes for the provider: those of the caller, with the limit and the wish for usage. */
export function bodyFor({ bytes, fields, isStream, wantsUsage, maxTokens: asked }: ChatRequest, maxTokens: number): Buffer {
  const options = fields['stream_options'];
  const added = {
    ...(asked === maxTokens ? {} : limitFields(fields, maxTokens)),
    ...(isStream && !wantsUsage ? { stream_options: { ...(isRecord(options) ? options : {}), include_usage: true } } : {}),
  };
  const names = Object.keys(added);
  if (names.length === 0) return bytes;
  if (names.some((name) => name in fields)) return Buffer.from(JSON.stringify({ ...fields, ...added }));
  // Where nothing changes, no byte does: numbers that another notation would round stay as they are.
  const end = bytes.lastIndexOf('}');
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`,${JSON.stringify(added).slice(1)}`)]);
}

function limitFields(fields: Readonly<Record<string, unknown>>, maxTokens: number): object {
  const names = ['max_tokens', 'max_completion_tokens'].filter((name) => fields[name] != null);
  return Object.fromEntries((names.length > 0 ? names : ['max_tokens']).map((name) => [name, maxTokens]));
}
