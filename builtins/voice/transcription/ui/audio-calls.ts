// The calls of this feature.
import type { Client } from 'agent-harness/client';

interface AudioCalls {
  'POST /api/audio/upload': { readonly body: { readonly dataUrl: string; readonly chatId?: string }; readonly reply: { readonly attachmentId: string } };
  'POST /api/transcribe': { readonly body: { readonly attachmentId: string; readonly chatId?: string }; readonly reply: { readonly text: string } };
}

export function callAudio<K extends keyof AudioCalls>(
  client: Client,
  key: K,
  input: { readonly body: AudioCalls[K]['body']; readonly signal: AbortSignal },
): Promise<AudioCalls[K]['reply']> {
  return (client.call as unknown as (key: K, input: object) => Promise<AudioCalls[K]['reply']>)(key, input);
}
