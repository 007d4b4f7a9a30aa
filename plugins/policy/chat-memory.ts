// What a person decided for the rest of a chat. Kept in memory only, so a restart asks again.
import { stableJson } from 'agent-harness/lib/values';
import type { ToolCall } from 'agent-harness/plugins/agent';

export type Remembered = 'approve' | 'reject';

export interface ChatMemory {
  remember(call: ToolCall, decision: Remembered): void;
  recall(call: ToolCall): Remembered | undefined;
  forget(chatId: string): void;
}

export function createChatMemory(): ChatMemory {
  const decided = new Map<string, Map<string, Remembered>>();
  return {
    remember(call, decision) {
      const keys = decided.get(call.turn.chatId) ?? new Map<string, Remembered>();
      decided.set(call.turn.chatId, keys.set(keyOf(call), decision));
    },
    recall: (call) => decided.get(call.turn.chatId)?.get(keyOf(call)),
    forget: (chatId) => void decided.delete(chatId),
  };
}

/** What is kept when a decision about the call is remembered, as a sentence for the person. */
export function describeMemory(call: ToolCall): string {
  const { name } = call.tool;
  return `Holds in this chat for ${isAboutArguments(call) ? `exactly this call of ${name}, with these arguments` : `every call of ${name}, whatever its arguments`}.`;
}

/** A tool with its effects; with the exact arguments too where it is they that make a call dangerous. */
function keyOf(call: ToolCall): string {
  const { tool, args } = call;
  return stableJson([tool.plugin, tool.name, [...(tool.effects ?? [])].sort(), ...(isAboutArguments(call) ? [args] : [])]);
}

function isAboutArguments({ tool }: ToolCall): boolean {
  const effects = tool.effects ?? [];
  return effects.length === 0 || effects.includes('execute') || typeof tool.needsApproval === 'function';
}
