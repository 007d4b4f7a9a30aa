// Builds the reply of a model from a successful attempt. Pure.
import type { Attempt } from './attempt.ts';
import type { ModelFault, ModelOutcome, ModelReply, ModelRoute, ModelUsage } from './contract.ts';

export const noUsage: ModelUsage = { input: 0, output: 0, cached: 0 };

type Ended = Extract<ModelOutcome, { ok: true }>;

export function replyOf({ model, wire, baseURL }: ModelRoute, { text, toolCalls }: Attempt, outcome: Ended): ModelReply {
  // Some servers report `stop` although the reply has tool calls.
  const finish = outcome.finish === 'stop' && toolCalls.length > 0 ? 'tool_calls' : outcome.finish;
  const providerData = outcome.data ? { providerData: { wire, baseURL, data: outcome.data } } : {};
  return { text, toolCalls, finish, usage: outcome.usage ?? noUsage, model, ...providerData };
}

/** Returns whether the reply is empty. Reasoning alone is treated as empty. */
export const isEmpty = ({ text, toolCalls }: Attempt): boolean => text.trim() === '' && toolCalls.length === 0;

/** Returns the fault of an empty reply. Its message states the likely cause, based on the finish reason. */
export function emptyFault(finish: Ended['finish']): ModelFault {
  return { ok: false, kind: 'empty', message: emptyReasons[finish] ?? 'the reply contains neither text nor a tool call' };
}

const emptyReasons: Partial<Readonly<Record<Ended['finish'], string>>> = {
  length: 'the length limit (AGENT_MAX_COMPLETION_TOKENS) was reached before the first word',
  content_filter: 'the content filter of the provider withheld the reply',
};
