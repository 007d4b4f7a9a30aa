// The conversations in memory: folded from the journal at first use, then kept in step with what happens.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from 'agent-harness/kernel';
import type { ImagePart } from 'agent-harness/plugins/models';
import type { SavedAttachment } from 'agent-harness/plugins/agent';
import { createFold, type Conversation } from './conversation.ts';

/** How many conversations stay in memory; the journal has them all. */
const residentLimit = 64;

export interface Conversations {
  /** Folds the journal at first use. */
  open(chatId: string): Promise<Conversation>;
  /** Drops it from memory; the next `open` folds again. */
  drop(chatId: string): void;
  /** The pictures among attachments that a model can look at. */
  images(chatId: string, attachments: readonly SavedAttachment[]): Promise<readonly ImagePart[]>;
}

export function createConversations(services: Pick<Services, 'chats' | 'eventLog'>): Conversations {
  const open = new Map<string, Promise<Conversation>>();

  async function fold(chatId: string): Promise<Conversation> {
    const attached = new Map<string, readonly ImagePart[]>();
    const keyOf = (attachments: readonly SavedAttachment[]): string => attachments.map((one) => one.attachmentId).join();
    const result = createFold((attachments) => attached.get(keyOf(attachments)));
    for await (const event of services.eventLog.read(chatId)) {
      if (event.kind === 'message_accepted') {
        const attachments = event['attachments'] as SavedAttachment[];
        attached.set(keyOf(attachments), await images(chatId, attachments));
      }
      result.take(event);
    }
    result.settle();
    return result.conversation;
  }

  async function images(chatId: string, attachments: readonly SavedAttachment[]): Promise<readonly ImagePart[]> {
    const pictures = attachments.filter((one) => /^image\/(png|jpeg|gif|webp)$/.test(one.mimeType));
    const parts: ImagePart[] = [];
    for (const one of pictures) {
      try {
        const bytes = await readFile(join(services.chats.folder(chatId), 'attachments', one.attachmentId));
        parts.push({ mimeType: one.mimeType, base64: bytes.toString('base64') });
      } catch {
        // a picture that somebody deleted is simply not shown to the model any more
      }
    }
    return parts;
  }

  return {
    open(chatId) {
      const known = open.get(chatId);
      open.delete(chatId);
      const conversation = known ?? fold(chatId);
      open.set(chatId, conversation);
      conversation.catch(() => open.delete(chatId));
      for (const oldest of open.keys()) {
        if (open.size <= residentLimit) break;
        open.delete(oldest);
      }
      return conversation;
    },
    drop: (chatId) => void open.delete(chatId),
    images,
  };
}
