// Makes one message acceptable to all model providers: well-formed text, valid tool names, arguments as a JSON object, usable images. Pure.
import { sha256 } from '#lib/hash';
import { isRecord, jsonOf } from '#lib/values';
import type { ImagePart, ModelMessage, ModelToolCall } from './contract.ts';
import { usableImage } from '#lib/usable-image';

const legalName = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const longestName = 64;
/** Matches a surrogate as a JSON escape. */
const escapedSurrogate = /\\u[dD][89a-fA-F]/;

/** Returns the repaired message; the same object if it needs no repair. */
export function cleanMessage(message: ModelMessage): ModelMessage {
  const text = wholeText(message.text);
  switch (message.role) {
    case 'system':
      return text === message.text ? message : { ...message, text };
    case 'assistant': {
      const toolCalls = message.toolCalls.map(cleanCall);
      const isSame = text === message.text && toolCalls.every((call, index) => call === message.toolCalls[index]);
      return isSame ? message : { ...message, text, toolCalls };
    }
    case 'user':
    case 'tool': {
      const name = message.role === 'tool' ? wireName(message.name) : undefined;
      const isNamed = message.role === 'user' || message.name === name;
      const named = isNamed && text === message.text ? message : { ...message, text, ...(name === undefined ? {} : { name }) };
      return message.images?.length ? withUsableImages(named, message.images) : named;
    }
  }
}

/** Converts an invented tool name to one that strict providers accept: a letter or `_`, then letters, digits, `_`, `-`; at most 64 characters. */
export function wireName(name: string): string {
  if (legalName.test(name)) return name;
  const legal = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, longestName);
  return legalName.test(legal) ? legal : `_${legal}`.slice(0, longestName);
}

function cleanCall(call: ModelToolCall): ModelToolCall {
  const name = wireName(call.name);
  const argsText = cleanArguments(call.argsText);
  return name === call.name && argsText === call.argsText ? call : { ...call, name, argsText };
}

/** Replaces arguments that are not a JSON object with `{}`, because providers reject them. The result of the call describes the error to the model. */
function cleanArguments(argsText: string): string {
  const args = jsonOf(argsText);
  if (!isRecord(args)) return '{}';
  if (argsText.isWellFormed() && !escapedSurrogate.test(argsText)) return argsText;
  return JSON.stringify(wholeTexts(args));
}

/** Replaces unpaired surrogates in all strings of a JSON value. */
export function wholeTexts(value: unknown): unknown {
  if (typeof value === 'string') return wholeText(value);
  if (Array.isArray(value)) return value.map(wholeTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wholeText(key), wholeTexts(inner)]));
}

/** Replaces unpaired surrogates with U+FFFD: they have no UTF-8 form, and providers reject them. */
export function wholeText(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

function withUsableImages<T extends Extract<ModelMessage, { role: 'user' | 'tool' }>>(message: T, images: readonly ImagePart[]): T {
  const checked = images.map((image) => usableImage(image));
  const usable = checked.flatMap((one) => (one.ok ? [one.part] : []));
  if (usable.length === images.length && usable.every((part, index) => part === images[index])) return message;
  const notes = checked.flatMap((one) => (one.ok ? [] : [`[Image omitted: it ${one.why}]`]));
  return { ...withoutImages(message), text: [message.text, ...notes].join('\n'), ...(usable.length > 0 ? { images: usable } : {}) };
}

/** Returns a copy of a message without its images. */
export function withoutImages<T extends ModelMessage>(message: T): T {
  const { images: _, ...rest } = message as T & { images?: unknown };
  return rest as T;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const idLength = 9;

/** Derives a tool call id of nine letters and digits (Mistral's format, accepted by all providers) from a stored id. Deterministic: SHA-256, base 62. */
export function wireId(id: string): string {
  let rest = BigInt(`0x${sha256(id).slice(0, 16)}`);
  let text = '';
  for (let place = 0; place < idLength; place++) {
    text += digits[Number(rest % 62n)];
    rest /= 62n;
  }
  return text;
}
