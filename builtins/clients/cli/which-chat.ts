// The chat that a command is about.
import type { Client } from './http-client.ts';

/** The id that was given, checked, or the active chat's; the server makes a first one where there is none. */
export async function chatIdOf(client: Client, given: string | boolean | undefined): Promise<string> {
  if (typeof given === 'string') return (await client.call<{ chatId: string }>('GET', `/api/chats/${encodeURIComponent(given)}`)).chatId;
  return (await client.call<{ chatId: string }>('GET', '/api/workspace/current')).chatId;
}
