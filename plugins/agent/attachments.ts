// Checks the attachments of a message against the limits, decodes them, and saves them in the chat's folder.
import { join } from 'node:path';
import type { KernelError, Logger, Services } from 'agent-harness/kernel';
import { pictureTypeOf } from '#lib/values';
import { messageOf } from '#lib/errors';
import type { AttachedFile, Attachment, Attachments, AttachmentText, KeptImage, SavedAttachment } from 'agent-harness/plugins/agent';
import type { ImagePart } from 'agent-harness/plugins/models';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Artifacts } from 'agent-harness/plugins/tools';
import { isSound, soundTypeOf } from './sounds.ts';

const mb = 1024 * 1024;
/** Limits for the attachments of one message: `count` is a number of files, all others are bytes (`all`: the sum of all files). */
export const attachmentLimits = { count: 12, image: 4 * mb, file: 25 * mb, all: 64 * mb, text: mb };

export type Refuse = (reason: 'INVALID_REQUEST' | 'TOO_LARGE', details: Readonly<Record<string, unknown>>) => KernelError;

interface Decoded {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** Decodes the data URLs. Throws the result of `refuse` if a limit is exceeded or a data URL is invalid. */
export function decodeAttachments(attachments: readonly Attachment[], refuse: Refuse): Decoded[] {
  if (attachments.length > attachmentLimits.count)
    throw refuse('INVALID_REQUEST', { why: `A message can have at most ${attachmentLimits.count} attachments.` });
  let total = 0;
  return attachments.map(({ name, dataUrl }) => {
    const match = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=-]+)*;base64,([A-Za-z0-9+/]*={0,2})$/.exec(dataUrl);
    if (!match) throw refuse('INVALID_REQUEST', { why: `Attachment '${name}' must be a base64 data URL.` });
    const [, mimeType = '', base64 = ''] = match;
    const size = sizeOf(base64);
    const limit = mimeType.startsWith('image/') ? attachmentLimits.image : attachmentLimits.file;
    total += size;
    if (size > limit) throw refuse('TOO_LARGE', { what: `Attachment '${name}'`, limit });
    if (total > attachmentLimits.all) throw refuse('TOO_LARGE', { what: 'The total size of the attachments', limit: attachmentLimits.all });
    return { name: name.replace(/[\p{Cc}/\\]/gu, '_').slice(0, 200), mimeType, bytes: Buffer.from(base64, 'base64') };
  });
}

/** Returns the decoded size in bytes. */
function sizeOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(((base64.length - padding) * 3) / 4);
}

export interface SaveParts {
  readonly chatId: string;
  /** Folder of the chat. */
  readonly folder: string;
  readonly storage: Storage;
  readonly artifacts: Artifacts;
  readonly log: Logger;
  /** Reads the text of a file. Rejects if this takes too long. */
  read(file: Omit<AttachedFile, 'signal'>): Promise<AttachmentText | undefined>;
}

/** Saves the attachments and their readable text. */
export async function saveAttachments(decoded: readonly Decoded[], parts: SaveParts): Promise<SavedAttachment[]> {
  return Promise.all(
    decoded.map(async (file) => {
      const attachmentId = parts.storage.createId('att');
      const { name, bytes } = file;
      const path = join(parts.folder, 'attachments', attachmentId);
      await parts.storage.writeFile(path, bytes);
      const saved: SavedAttachment = { attachmentId, name, bytes: bytes.length, ...(await readOne(file, parts)) };
      await parts.storage.writeJson(`${path}.json`, saved);
      return saved;
    }),
  );
}

/** Reads one attachment. Its type is detected from the bytes, because the type that the client declares is not reliable. */
async function readOne(
  { name, mimeType, bytes }: Decoded,
  parts: SaveParts,
): Promise<Pick<SavedAttachment, 'mimeType' | 'artifactId' | 'characters' | 'note'>> {
  const picture = pictureTypeOf(bytes);
  if (picture !== undefined && bytes.length <= attachmentLimits.image) return { mimeType: picture };
  const sound = soundTypeOf(bytes);
  const given = sound ?? (isShownWhole({ mimeType }) ? 'application/octet-stream' : mimeType);
  try {
    const found = await parts.read({ name, mimeType: given, bytes });
    if (!found) return { mimeType: given };
    const { text, note } = found;
    return {
      // The file name is not used to detect the type, because it is not reliable either.
      mimeType: sound ?? (isShownWhole(found) ? (text === undefined ? 'application/octet-stream' : 'text/plain') : found.mimeType),
      ...(text === undefined ? {} : { artifactId: await parts.artifacts.save(parts.chatId, text), characters: text.length }),
      ...(note === undefined ? {} : { note }),
    };
  } catch (fault) {
    parts.log.warn(`an attachment could not be read: ${messageOf(fault)}`);
    return { mimeType: given, note: 'reading it took too long' };
  }
}

export function createAttachments({ chats, storage }: Pick<Services, 'chats' | 'storage'>): Attachments {
  return {
    async find(chatId, attachmentId) {
      if (!storage.isId('att', attachmentId)) return undefined;
      const path = join(chats.folder(chatId), 'attachments', attachmentId);
      const content = await storage.readBytes(path);
      if (!content) return undefined;
      const saved = await storage.readJson(`${path}.json`, isSavedAttachment);
      // Images that tools display have no name; neither do attachments from versions that did not store names.
      return { attachmentId, name: attachmentId, mimeType: pictureTypeOf(content) ?? 'application/octet-stream', bytes: content.length, ...saved, content };
    },
  };
}

function isSavedAttachment(value: unknown): value is SavedAttachment {
  const { attachmentId, name, mimeType, bytes } = (value ?? {}) as Partial<SavedAttachment>;
  return [attachmentId, name, mimeType].every((text) => typeof text === 'string') && typeof bytes === 'number';
}

/** Returns whether models receive the file itself. */
const isShownWhole = (file: { readonly mimeType: string }): boolean => isPicture(file) || isSound(file);

/** Returns whether the file is an image that models accept. */
export function isPicture({ mimeType }: { readonly mimeType: string }): boolean {
  return /^image\/(png|jpeg|gif|webp)$/.test(mimeType);
}

/** Saves images that a tool displays. Never rejects. An image that cannot be saved is not displayed, because it would be missing after a restart. */
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
      log.warn(`an image displayed by a tool could not be saved: ${messageOf(fault)}`);
    }
  }
  return { kept, shown };
}
