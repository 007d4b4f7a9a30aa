// Accepts the attachments of a message: validates them, saves them, and lets plugins extract their text.
import type { Emitter, Registry } from 'agent-harness/kernel';
import type { Attachment, SavedAttachment } from 'agent-harness/plugins/agent';
import { decodeAttachments, saveAttachments } from './attachments.ts';
import type { manifest } from './manifest.ts';

/** Maximum time, in milliseconds, that a message waits for plugins to read its files. */
const readCapMs = 30_000;

export type StoreAttachments = (chatId: string, given: readonly Attachment[]) => Promise<SavedAttachment[]>;

export function createAttachmentStore(registry: Registry<typeof manifest>, emitter: Emitter): StoreAttachments {
  const { chats, storage, artifacts } = registry.services;
  return (chatId, given) => {
    const signal = AbortSignal.any([registry.signal, AbortSignal.timeout(readCapMs)]);
    return saveAttachments(decodeAttachments(given, registry.error), {
      ...{ chatId, folder: chats.folder(chatId), storage, artifacts, log: registry.log },
      read: (file) => emitter.call('attachment.read', [{ ...file, signal }], { signal, graceMs: 0 }),
    });
  };
}
