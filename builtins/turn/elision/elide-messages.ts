// Swaps old big bodies for pointers; the conversation itself keeps them.
import type { Logger } from 'agent-harness/kernel';
import { jsonOf } from 'agent-harness/lib/values';
import type { ModelMessage, ModelToolCall } from 'agent-harness/plugins/models';
import type { Artifacts } from 'agent-harness/plugins/tools';
import { planElision, type ElisionRules } from './plan-elision.ts';
import { argumentPointer, pointerText } from './pointer-text.ts';

/** Texts among the arguments that are shorter stay, so that a path or a name can still be read. */
const longArgument = 1_000;
const maxDepth = 8;

type Save = (text: string) => Promise<string>;

/** @param rules live. A body that cannot be saved stays as it is. */
export function createElision(
  artifacts: Artifacts,
  rules: ElisionRules,
  log: Logger,
): (messages: readonly ModelMessage[], chatId: string) => Promise<readonly ModelMessage[]> {
  /** By the message that is swapped, which lives as long as its conversation. */
  const swapped = new WeakMap<ModelMessage, ModelMessage>();

  async function swap(message: ModelMessage, save: Save): Promise<ModelMessage> {
    const known = swapped.get(message);
    if (known) return known;
    try {
      const pointer = await pointerOf(message, rules.minChars, save);
      swapped.set(message, pointer);
      return pointer;
    } catch (fault) {
      log.warn(`a tool body could not be moved to an artifact: ${String(fault)}`);
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

/** Arguments stay a JSON object; only their long texts are swapped. Broken ones stay as they are. */
async function shrinkCall(call: ModelToolCall, save: Save): Promise<ModelToolCall> {
  const args = jsonOf(call.argsText);
  // The model wrote no JSON, and was told so.
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
