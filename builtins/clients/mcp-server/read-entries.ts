// The newest entries of a chat for another program, which is mostly a model: without what a person took out of the conversation.
import { CallError, type Client } from 'agent-harness/client';
import { isRecord } from 'agent-harness/lib/values';

/** Rejects as the call does. */
export async function readEntries(client: Client, chatId: string, limit: number): Promise<readonly unknown[]> {
  const params = { id: chatId };
  const [{ entries }, gone] = await Promise.all([client.call('GET /api/chats/:id/transcript', { params, query: { limit } }), readTakenOut(client, chatId)]);
  return gone.size === 0 ? entries : entries.map((entry) => without(entry, gone));
}

/** Where nobody takes anything out there is no such route. */
async function readTakenOut(client: Client, chatId: string): Promise<ReadonlySet<unknown>> {
  try {
    return new Set((await client.call('GET /api/chats/:id/taken-out', { params: { id: chatId } })).ids);
  } catch (fault) {
    if (fault instanceof CallError && fault.code === 'not_found') return new Set();
    throw fault;
  }
}

/** Also of what a task did inside a call. */
function without(value: unknown, gone: ReadonlySet<unknown>): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => without(one, gone));
  if (!isRecord(value)) return value;
  const { kind, at, id, callId, name } = value;
  if (gone.has(callId ?? id)) return { kind, at, id, callId, name, isTakenOut: true };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, without(one, gone)]));
}
