// Sound that comes with messages: which files a model can hear, and what goes to one that takes none. Pure.
import type { SavedAttachment } from 'agent-harness/plugins/agent';
import type { AudioPart, ModelMessage } from 'agent-harness/plugins/models';

/** Bytes of a file that is heard: some two minutes of speech as wav, some eight as mp3. */
export const heardLimit = 4 * 1024 * 1024;

/** What every model that takes sound can read, by the first bytes in hex. */
const kinds: readonly { readonly start: RegExp; readonly mimeType: string; readonly format: AudioPart['format'] }[] = [
  { start: /^52494646.{8}57415645/, mimeType: 'audio/wav', format: 'wav' },
  { start: /^(4944330[234]|fff[23ab])/, mimeType: 'audio/mpeg', format: 'mp3' },
];

/** Bytes; it says how many of them a second takes. */
const wavHead = 44;
/** Below it a head is broken. */
const leastRate = 1_000;

const kindOf = (bytes: Buffer): (typeof kinds)[number] | undefined => kinds.find(({ start }) => start.test(bytes.toString('hex', 0, 12)));

/** By the bytes; `undefined` for everything that no model can hear. */
export const soundTypeOf = (bytes: Buffer): string | undefined => kindOf(bytes)?.mimeType;

export const isSound = ({ mimeType }: Pick<SavedAttachment, 'mimeType'>): boolean => kinds.some((kind) => kind.mimeType === mimeType);

export const isHeard = (file: Pick<SavedAttachment, 'mimeType' | 'bytes'>): boolean => isSound(file) && file.bytes <= heardLimit;

export function soundPart(bytes: Buffer): AudioPart | undefined {
  const kind = kindOf(bytes);
  if (!kind) return undefined;
  const { mimeType, format } = kind;
  const rate = bytes.length >= wavHead && bytes.toString('latin1', 12, 16) === 'fmt ' ? bytes.readUInt32LE(28) : 0;
  return { mimeType, format, base64: bytes.toString('base64'), ...(rate >= leastRate ? { seconds: (bytes.length - wavHead) / rate } : {}) };
}

export const hasSound = (message: ModelMessage): boolean => message.role === 'user' && message.audio !== undefined;

/** For a model that takes none: what the text says of the files stays. The same messages where none has any. */
export function withoutSound(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  if (!messages.some(hasSound)) return messages;
  return messages.map((message) => {
    if (message.role !== 'user' || !message.audio) return message;
    const { audio: _, ...rest } = message;
    return rest;
  });
}
