// What a person allowed for the rest of a chat. Kept in memory only, so a restart asks again.
import type { ToolCall } from 'agent-harness/plugins/agent';
import { stableJson } from './stable-json.ts';

export interface ChatMemory {
  remember(call: ToolCall): void;
  isRemembered(call: ToolCall): boolean;
  forget(chatId: string): void;
}

export function createChatMemory(): ChatMemory {
  const allowed = new Map<string, Set<string>>();
  return {
    remember(call) {
      const keys = allowed.get(call.turn.chatId) ?? new Set();
      allowed.set(call.turn.chatId, keys.add(keyOf(call)));
    },
    isRemembered: (call) => allowed.get(call.turn.chatId)?.has(keyOf(call)) === true,
    forget: (chatId) => void allowed.delete(chatId),
  };
}

/** A tool with its effects; with the exact arguments too where it is they that make a call dangerous. */
function keyOf({ tool, args }: ToolCall): string {
  const effects = [...(tool.effects ?? [])].sort();
  const isAboutArguments = effects.length === 0 || effects.includes('execute') || typeof tool.needsApproval === 'function';
  return stableJson([tool.plugin, tool.name, effects, ...(isAboutArguments ? [args] : [])]);
}
