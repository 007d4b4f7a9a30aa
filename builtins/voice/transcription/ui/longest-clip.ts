// How much the server takes at once.
import type { Client } from 'agent-harness/client';
import { usualLimitBytes } from './sound/clip.ts';

/** In bytes; what is too long is refused later. */
export function longestClip(client: Client): number {
  return client.connection.get().config?.transcribeMaxBytes ?? usualLimitBytes;
}
