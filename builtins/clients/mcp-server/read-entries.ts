// Reads the newest entries of a chat for an MCP client, usually a model, without entries that the user removed.
import type { Client } from 'agent-harness/client';
import { isRecord } from '#lib/values';

/** Rejects with the error of the call. */
export async function readEntries(client: Client, chatId: string, limit: number): Promise<readonly unknown[]> {
  const { entries } = await client.call('GET /api/chats/:id/transcript', { params: { id: chatId }, query: { limit } });
  return entries.map(withoutRemoved);
}

/** Keeps only the identifying fields of a removed entry, or of a removed call inside an entry. */
function withoutRemoved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRemoved);
  if (!isRecord(value)) return value;
  const { kind, at, id, callId, name, isRemoved } = value;
  if (isRemoved === true) return { kind, at, id, callId, name, isRemoved };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutRemoved(one)]));
}
