// Attachments of a message: checked against the limits, decoded, saved beside the chat.
import { join } from 'node:path';
import type { KernelError, Logger } from 'agent-harness/kernel';
import type { Attachment, KeptImage, SavedAttachment } from 'agent-harness/plugins/agent';
import type { ImagePart } from 'agent-harness/plugins/models';
import type { Storage } from 'agent-harness/plugins/storage';

const mb = 1024 * 1024;
/** Bytes, and pieces. */
export const attachmentLimits = { count: 12, image: 4 * mb, file: 25 * mb, all: 64 * mb, text: mb };

export type Refuse = (reason: 'INVALID_REQUEST' | 'TOO_LARGE', details: Readonly<Record<string, unknown>>) => KernelError;

interface Decoded {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** Throws what `refuse` makes when a limit is passed or a data URL is none; then nothing is saved. */
export function decodeAttachments(attachments: readonly Attachment[], refuse: Refuse): Decoded[] {
  if (attachments.length > attachmentLimits.count) throw refuse('INVALID_REQUEST', { why: `At most ${attachmentLimits.count} attachments fit one message.` });
  let total = 0;
  return attachments.map(({ name, dataUrl }) => {
    const match = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=-]+)*;base64,([A-Za-z0-9+/]*={0,2})$/.exec(dataUrl);
    if (!match) throw refuse('INVALID_REQUEST', { why: `Attachment '${name}' must be a base64 data URL.` });
    const [, mimeType = '', base64 = ''] = match;
    const size = sizeOf(base64);
    const limit = mimeType.startsWith('image/') ? attachmentLimits.image : attachmentLimits.file;
    total += size;
    if (size > limit) throw refuse('TOO_LARGE', { what: `Attachment '${name}'`, limit });
    if (total > attachmentLimits.all) throw refuse('TOO_LARGE', { what: 'The sum of the attachments', limit: attachmentLimits.all });
    return { name: name.replace(/[\p{Cc}/\\]/gu, '_').slice(0, 200), mimeType, bytes: Buffer.from(base64, 'base64') };
  });
}

/** Bytes that it decodes to. */
function sizeOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(((base64.length - padding) * 3) / 4);
}

export async function saveAttachments(folder: string, decoded: readonly Decoded[], storage: Storage): Promise<SavedAttachment[]> {
  return Promise.all(
    decoded.map(async ({ name, mimeType, bytes }) => {
      const attachmentId = storage.createId('att');
      await storage.writeFile(join(folder, 'attachments', attachmentId), bytes);
      return { attachmentId, name, mimeType, bytes: bytes.length };
    }),
  );
}

/** What models can look at. */
export function isPicture({ mimeType }: { readonly mimeType: string }): boolean {
  return /^image\/(png|jpeg|gif|webp)$/.test(mimeType);
}

/** Contract: never rejects; a picture that cannot be saved is not shown, so that a restart changes nothing. */
export async function keepImages(
  folder: string,
  images: readonly ImagePart[],
  storage: Storage,
  log: Logger,
): Promise<{ readonly kept: KeptImage[]; readonly shown: ImagePart[] }> {
  const kept: KeptImage[] = [];
  const shown: ImagePart[] = [];
  for (const image of images.filter(isPicture)) {
    const attachmentId = storage.createId('att');
    try {
      await storage.writeFile(join(folder, 'attachments', attachmentId), Buffer.from(image.base64, 'base64'));
      kept.push({ attachmentId, mimeType: image.mimeType });
      shown.push(image);
    } catch (fault) {
      log.warn(`a picture of a tool could not be saved: ${fault instanceof Error ? fault.message : String(fault)}`);
    }
  }
  return { kept, shown };
}
