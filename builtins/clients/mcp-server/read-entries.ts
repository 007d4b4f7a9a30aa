// Reads the newest entries of a chat for another program, mostly a model, without what a person removed from the conversation.
import type { Client } from 'agent-harness/client';
import { isRecord } from 'agent-harness/lib/values';

/** Rejects as the call does. */
export async function readEntries(client: Client, chatId: string, limit: number): Promise<readonly unknown[]> {
  const { entries } = await client.call('GET /api/chats/:id/transcript', { params: { id: chatId }, query: { limit } });
  return entries.map(withoutRemoved);
}

/** Of a removed entry, or a removed call of a task inside an entry, only what identifies it. */
function withoutRemoved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRemoved);
  if (!isRecord(value)) return value;
  const { kind, at, id, callId, name, isRemoved } = value;
  if (isRemoved === true) return { kind, at, id, callId, name, isRemoved };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutRemoved(one)]));
}
