// How much the server takes at once.
import type { Client } from 'agent-harness/client';
import { usualLimitBytes } from './sound/clip.ts';

const key = 'AGENT_TRANSCRIBE_MAX_BYTES';

/** In bytes. Never rejects: what is too long is refused later. */
export async function longestClip(client: Client): Promise<number> {
  const settings = await client.call('GET /api/settings').catch(() => undefined);
  const value = settings?.fields.find((field) => field.key === key)?.value;
  return typeof value === 'number' ? value : usualLimitBytes;
}
