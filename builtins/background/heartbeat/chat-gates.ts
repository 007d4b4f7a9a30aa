// Stores the nudge threshold of a chat in the chat's folder, after the user requested fewer nudges.
import { join } from 'node:path';
import { writeWithChat } from '#lib/chat-files';
import { BoundedMap, isRecord } from '#lib/values';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';

export interface ChatGates {
  /** Returns how many times the user requested fewer nudges. */
  read(chatId: string): Promise<number>;
  /** Stores the number of requests. Resolves when the file is on disk. */
  write(chatId: string, steps: number): Promise<void>;
  forget(chatId: string): void;
}

/** Factors by which each step reduces the distance between the configured confidence and 1; after the last step, no nudge is shown. */
const shares = [1, 0.5, 0.25, 0.125];
export const mostSteps = shares.length;

export function gateAfter(steps: number, least: number): number {
  const share = shares[steps];
  return share === undefined ? Infinity : 1 - (1 - least) * share;
}

export function createChatGates(chats: Chats, storage: Storage): ChatGates {
  const known = new BoundedMap<string, number>(100);
  const fileOf = (chatId: string): string => join(chats.folder(chatId), 'heartbeat.json');
  return {
    async read(chatId) {
      const found = known.get(chatId) ?? (await storage.readJson(fileOf(chatId), isGate))?.lessSteps ?? 0;
      if (!known.has(chatId)) known.set(chatId, found);
      return known.get(chatId) ?? found;
    },
    async write(chatId, steps) {
      await writeWithChat(chats, chatId, () => (steps === 0 ? storage.remove(fileOf(chatId)) : storage.writeJson(fileOf(chatId), { lessSteps: steps })));
      known.set(chatId, steps);
    },
    forget: (chatId) => void known.delete(chatId),
  };
}

function isGate(value: unknown): value is { readonly lessSteps: number } {
  return isRecord(value) && Number.isInteger(value['lessSteps']) && Number(value['lessSteps']) >= 0;
}
