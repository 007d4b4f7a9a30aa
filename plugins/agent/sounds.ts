// Detects audio files that models accept, and removes sound from requests to models without audio input. Pure.
import type { SavedAttachment } from 'agent-harness/plugins/agent';
import type { AudioPart, ModelMessage } from 'agent-harness/plugins/models';

/** Maximum size in bytes of an audio file that is sent to models: about two minutes of speech as WAV, eight as MP3. */
export const maxSoundBytes = 4 * 1024 * 1024;

/** Formats that every audio model accepts, with their first bytes in hex. */
const kinds: readonly { readonly start: RegExp; readonly mimeType: string; readonly format: AudioPart['format'] }[] = [
  { start: /^52494646.{8}57415645/, mimeType: 'audio/wav', format: 'wav' },
  { start: /^(4944330[234]|fff[23ab])/, mimeType: 'audio/mpeg', format: 'mp3' },
];

/** Size of the WAV header in bytes; it contains the byte rate. */
const wavHeaderBytes = 44;
/** Minimum plausible byte rate; a lower one means a broken header. */
const minBytesPerSecond = 1_000;

const kindOf = (bytes: Buffer): (typeof kinds)[number] | undefined => kinds.find(({ start }) => start.test(bytes.toString('hex', 0, 12)));

/** Detects the audio type from the bytes; `undefined` for formats that not all models accept. */
export const soundTypeOf = (bytes: Buffer): string | undefined => kindOf(bytes)?.mimeType;

export const isSound = ({ mimeType }: Pick<SavedAttachment, 'mimeType'>): boolean => kinds.some((kind) => kind.mimeType === mimeType);

export const isHeard = (file: Pick<SavedAttachment, 'mimeType' | 'bytes'>): boolean => isSound(file) && file.bytes <= maxSoundBytes;

/** Returns an audio file as models receive it, with its duration for a WAV file; `undefined` for formats that models do not accept. */
export function soundPart(bytes: Buffer): AudioPart | undefined {
  const kind = kindOf(bytes);
  if (!kind) return undefined;
  const { mimeType, format } = kind;
  const rate = bytes.length >= wavHeaderBytes && bytes.toString('latin1', 12, 16) === 'fmt ' ? bytes.readUInt32LE(28) : 0;
  return { mimeType, format, base64: bytes.toString('base64'), ...(rate >= minBytesPerSecond ? { seconds: (bytes.length - wavHeaderBytes) / rate } : {}) };
}

export const hasSound = (message: ModelMessage): boolean => message.role === 'user' && message.audio !== undefined;

/** Removes sound for a model without audio input; the text about the files stays. Returns the same array if the messages have no sound. */
export function withoutSound(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  if (!messages.some(hasSound)) return messages;
  return messages.map((message) => {
    if (message.role !== 'user' || !message.audio) return message;
    const { audio: _, ...rest } = message;
    return rest;
  });
}
