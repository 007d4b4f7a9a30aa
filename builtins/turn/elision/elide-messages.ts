// Replaces old, large outputs and arguments in requests with references; the conversation itself keeps them.
import type { Logger } from 'agent-harness/kernel';
import { jsonOf } from '#lib/values';
import type { ModelMessage, ModelToolCall } from 'agent-harness/plugins/models';
import type { Artifacts } from 'agent-harness/plugins/tools';
import { planElision, type ElisionRules } from './plan-elision.ts';
import { argumentPointer, pointerText } from './artifact-reference.ts';

/** Minimum length of an argument text that is replaced, in UTF-16 code units; shorter ones are not replaced, so that paths and names remain readable. */
const longArgument = 1_000;
const maxDepth = 8;

type Save = (text: string) => Promise<string>;

/** @param rules live values of the settings. A text that cannot be saved stays unchanged. */
export function createElision(
  artifacts: Artifacts,
  rules: ElisionRules,
  log: Logger,
): (messages: readonly ModelMessage[], chatId: string) => Promise<readonly ModelMessage[]> {
  /** Maps messages to their replacements, which stay in memory as long as the conversation. */
  const swapped = new WeakMap<ModelMessage, ModelMessage>();

  async function swap(message: ModelMessage, save: Save): Promise<ModelMessage> {
    const known = swapped.get(message);
    if (known) return known;
    try {
      const pointer = await pointerOf(message, rules.minChars, save);
      swapped.set(message, pointer);
      return pointer;
    } catch (fault) {
      log.warn(`a tool output or argument could not be stored as an artifact: ${String(fault)}`);
      return message;
    }
  }

  return async (messages, chatId) => {
    const planned = planElision(messages, rules);
    if (planned.size === 0) return messages;
    const saveOf =
      (message: ModelMessage): Save =>
      (text) =>
        artifacts.save(chatId, text, { isOwn: message.role !== 'tool' || message.isUntrusted !== true });
    return Promise.all(messages.map(async (message, index) => (planned.has(index) ? swap(message, saveOf(message)) : message)));
  };
}

async function pointerOf(message: ModelMessage, minChars: number, save: Save): Promise<ModelMessage> {
  if (message.role === 'tool') return { ...message, text: pointerText(message.text, await save(message.text)) };
  if (message.role !== 'assistant') return message;
  const toolCalls = await Promise.all(message.toolCalls.map(async (call) => (call.argsText.length >= minChars ? shrinkCall(call, save) : call)));
  return { ...message, toolCalls };
}

/** Replaces only long texts in the arguments, which stay a JSON object. Invalid arguments stay unchanged. */
async function shrinkCall(call: ModelToolCall, save: Save): Promise<ModelToolCall> {
  const args = jsonOf(call.argsText);
  // Invalid JSON, for which the model received an error.
  if (args === undefined) return call;
  return { ...call, argsText: JSON.stringify(await shrink(args, save, 0)) };
}

async function shrink(value: unknown, save: Save, depth: number): Promise<unknown> {
  if (typeof value === 'string') return value.length < longArgument ? value : argumentPointer(value, await save(value));
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return value;
  if (Array.isArray(value)) return Promise.all(value.map((one) => shrink(one, save, depth + 1)));
  const fields = await Promise.all(Object.entries(value).map(async ([key, one]) => [key, await shrink(one, save, depth + 1)] as const));
  return Object.fromEntries(fields);
}
