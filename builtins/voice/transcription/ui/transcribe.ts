// A clip on its way to becoming text: kept by the server first, so that a failure costs nothing but a second try.
import type { Client } from 'agent-harness/client';
import { callAudio } from './audio-calls.ts';

export interface Recording {
  readonly wav: Uint8Array<ArrayBuffer>;
  readonly chatId?: string;
  /** The server has it. */
  attachmentId?: string;
}

/** Rejects with a `CallError`; the same recording may be tried again. */
export async function transcribe(client: Client, recording: Recording, signal: AbortSignal): Promise<string> {
  const { wav, chatId } = recording;
  const inChat = chatId === undefined ? {} : { chatId };
  recording.attachmentId ??= (await callAudio(client, 'POST /api/audio/upload', { body: { dataUrl: await dataUrlOf(wav), ...inChat }, signal })).attachmentId;
  const { text } = await callAudio(client, 'POST /api/transcribe', { body: { attachmentId: recording.attachmentId, ...inChat }, signal });
  return text.trim();
}

function dataUrlOf(wav: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(new Blob([wav], { type: 'audio/wav' }));
  });
}
