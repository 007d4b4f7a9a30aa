// Makes one message fit every provider: whole characters, legal names, arguments that are a JSON object, usable pictures. Pure.
import { sha256 } from 'agent-harness/lib/hash';
import { isRecord, jsonOf } from 'agent-harness/lib/values';
import type { ImagePart, ModelMessage, ModelToolCall } from './contract.ts';
import { usableImage } from 'agent-harness/lib/usable-image';

const legalName = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const longestName = 64;
/** Half of a surrogate pair as JSON may spell it. */
const escapedSurrogate = /\\u[dD][89a-fA-F]/;

/** The same object where nothing is wrong with it. */
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

/** A model may make a name up; strict providers refuse a request in which it stands. */
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

/** Arguments that are no JSON object would be refused; the result of the call tells the model what was wrong with them. */
function cleanArguments(argsText: string): string {
  const args = jsonOf(argsText);
  if (!isRecord(args)) return '{}';
  if (argsText.isWellFormed() && !escapedSurrogate.test(argsText)) return argsText;
  return JSON.stringify(wholeTexts(args));
}

export function wholeTexts(value: unknown): unknown {
  if (typeof value === 'string') return wholeText(value);
  if (Array.isArray(value)) return value.map(wholeTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wholeText(key), wholeTexts(inner)]));
}

/** Half of a surrogate pair has no UTF-8, and JSON with it is refused. */
export function wholeText(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

function withUsableImages<T extends Extract<ModelMessage, { role: 'user' | 'tool' }>>(message: T, images: readonly ImagePart[]): T {
  const checked = images.map((image) => usableImage(image));
  const usable = checked.flatMap((one) => (one.ok ? [one.part] : []));
  if (usable.length === images.length && usable.every((part, index) => part === images[index])) return message;
  const notes = checked.flatMap((one) => (one.ok ? [] : [`[A picture was left out: it ${one.why}]`]));
  return { ...withoutImages(message), text: [message.text, ...notes].join('\n'), ...(usable.length > 0 ? { images: usable } : {}) };
}

export function withoutImages<T extends ModelMessage>(message: T): T {
  const { images: _, ...rest } = message as T & { images?: unknown };
  return rest as T;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const idLength = 9;

/** Nine letters and digits, which Mistral demands and every other provider takes. The same text always gives the same id. */
export function wireId(id: string): string {
  let rest = BigInt(`0x${sha256(id).slice(0, 16)}`);
  let text = '';
  for (let place = 0; place < idLength; place++) {
    text += digits[Number(rest % 62n)];
    rest /= 62n;
  }
  return text;
}
