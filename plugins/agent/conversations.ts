// Caches conversations in memory: folds them from the journal on first use, and updates them with each event.
import { join } from 'node:path';
import type { Services } from 'agent-harness/kernel';
import { textStart } from '#lib/text';
import type { AudioPart, ImagePart } from 'agent-harness/plugins/models';
import type { KeptImage, SavedAttachment } from 'agent-harness/plugins/agent';
import { createConversation, type Brought, type Conversation, type EventKind } from 'agent-harness/transcript';
import { describeAttachments, shareOut } from './attachment-text.ts';
import { isPicture } from './attachments.ts';
import { isHeard, soundPart } from './sounds.ts';

/** Maximum number of conversations in memory; the journals contain all of them. */
const residentLimit = 64;

export interface Conversations {
  /** Returns the conversation; folds the journal on first use. */
  open(chatId: string): Promise<Conversation>;
  /** Keeps the conversation of a running turn in memory, because the next message must use the same object. */
  hold(chatId: string, conversation: Conversation): void;
  /** Drops the conversation from memory; the next `open` folds the journal again. */
  drop(chatId: string): void;
  /** Loads the contents of a message's files that the model receives: images, sound, and the beginnings of texts. */
  bring(chatId: string, attachments: readonly SavedAttachment[]): Promise<Brought>;
  /** Does the same as {@link bring}, for any event that refers to files. */
  bringFor(chatId: string, event: object): Promise<Brought>;
}

/** An event that may refer to files. */
interface Referring {
  readonly attachments?: readonly SavedAttachment[];
  readonly images?: readonly KeptImage[];
}

/**
 * Creates the cache of conversations. @param isBusy returns whether a turn is running; such conversations stay in memory, because the next message must use the
 * same object
 */
export function createConversations(
  services: Pick<Services, 'chats' | 'eventLog' | 'artifacts' | 'storage' | 'tools'>,
  isBusy: (chatId: string) => boolean,
): Conversations {
  const resident = new Map<string, Promise<Conversation>>();

  async function fold(chatId: string): Promise<Conversation> {
    const conversation = createConversation();
    for await (const event of services.eventLog.read(chatId)) conversation.take(event.kind as EventKind, event, await bring(chatId, event as Referring));
    conversation.settle();
    return conversation;
  }

  async function bring(chatId: string, { attachments = [], images: shown = [] }: Referring): Promise<Brought> {
    if (attachments.length === 0) return shown.length === 0 ? {} : { images: await images(chatId, shown) };
    const read = await excerpts(chatId, attachments);
    const lines = describeAttachments(attachments, (attachmentId) => read.get(attachmentId), services.tools.nameWith);
    return { lines, images: await images(chatId, attachments), audio: await sounds(chatId, attachments) };
  }

  async function images(chatId: string, attachments: readonly KeptImage[]): Promise<readonly ImagePart[]> {
    const parts: ImagePart[] = [];
    for (const { attachmentId, mimeType } of attachments.filter(isPicture)) {
      const bytes = await bytesOf(chatId, attachmentId);
      if (bytes) parts.push({ mimeType, base64: bytes.toString('base64') });
    }
    return parts;
  }

  async function sounds(chatId: string, attachments: readonly SavedAttachment[]): Promise<readonly AudioPart[]> {
    const parts: AudioPart[] = [];
    for (const { attachmentId } of attachments.filter(isHeard)) {
      const bytes = await bytesOf(chatId, attachmentId);
      const part = bytes && soundPart(bytes);
      if (part) parts.push(part);
    }
    return parts;
  }

  /** Returns the bytes of an attachment; `undefined` if it was deleted. */
  const bytesOf = (chatId: string, attachmentId: string): Promise<Buffer | undefined> =>
    services.storage.readBytes(join(services.chats.folder(chatId), 'attachments', attachmentId)).catch(() => undefined);

  async function excerpts(chatId: string, attachments: readonly SavedAttachment[]): Promise<ReadonlyMap<string, string>> {
    const readable = attachments.filter((one) => one.artifactId !== undefined);
    const shares = shareOut(readable.map((one) => one.characters ?? 0));
    const found = new Map<string, string>();
    for (const [index, { attachmentId, artifactId = '' }] of readable.entries()) {
      const bytes = await services.artifacts.read(chatId, artifactId);
      const share = shares[index] ?? 0;
      // A character takes at most three bytes per UTF-16 code unit; a partial character at the end is dropped.
      if (bytes) found.set(attachmentId, textStart(Buffer.from(bytes.subarray(0, share * 3 + 3)).toString('utf8'), share));
    }
    return found;
  }

  function evict(): void {
    for (const oldest of resident.keys()) {
      if (resident.size <= residentLimit) return;
      if (!isBusy(oldest)) resident.delete(oldest);
    }
  }

  return {
    open(chatId) {
      const known = resident.get(chatId);
      resident.delete(chatId);
      const conversation = known ?? fold(chatId);
      evict();
      resident.set(chatId, conversation);
      conversation.catch(() => {
        if (resident.get(chatId) === conversation) resident.delete(chatId);
      });
      return conversation;
    },
    hold: (chatId, conversation) => void resident.set(chatId, Promise.resolve(conversation)),
    drop: (chatId) => void resident.delete(chatId),
    bring: (chatId, attachments) => bring(chatId, { attachments }),
    bringFor: (chatId, event) => bring(chatId, event),
  };
}
