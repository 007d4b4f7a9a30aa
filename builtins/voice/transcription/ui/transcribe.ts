// Sends a clip for transcription. The server stores the clip first, so that a failed transcription only has to be repeated.
import type { Client } from 'agent-harness/client';

export interface Recording {
  readonly wav: Uint8Array<ArrayBuffer>;
  readonly chatId?: string;
  /** Id of the stored recording, once the server has it. */
  attachmentId?: string;
}

/** Transcribes a recording. Rejects with a `CallError`; the same recording may be retried. */
export async function transcribe(client: Client, recording: Recording, signal: AbortSignal): Promise<string> {
  const { wav, chatId } = recording;
  const inChat = chatId === undefined ? {} : { chatId };
  recording.attachmentId ??= await upload(client, wav, inChat, signal);
  const { text } = await client.call('POST /api/transcribe', { query: inChat, body: { attachmentId: recording.attachmentId }, signal });
  return text.trim();
}

async function upload(client: Client, wav: Uint8Array<ArrayBuffer>, inChat: { readonly chatId?: string }, signal: AbortSignal): Promise<string> {
  const dataUrl = await dataUrlOf(wav);
  return (await client.call('POST /api/audio/upload', { query: inChat, body: { dataUrl }, signal })).attachmentId;
}

function dataUrlOf(wav: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(new Blob([wav], { type: 'audio/wav' }));
  });
}
