// Stores artifacts: long tool outputs and other files of a chat, named after the SHA-256 of their bytes.
import { join } from 'node:path';
import { sha256 } from '#lib/hash';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Artifacts } from './contract.ts';

const artifactId = /^[0-9a-f]{64}$/;

/** Creates the store. Reads the services at each use. */
export function createArtifactStore(services: { readonly chats: Chats; readonly storage: Storage }): Artifacts {
  const pathOf = (chatId: string, id: string): string => join(services.chats.folder(chatId), 'artifacts', id);

  /** Returns the path of an empty marker file; an artifact without one is untrusted. */
  const markOf = (chatId: string, id: string): string => `${pathOf(chatId, id)}.own`;

  return {
    async save(chatId, content, { isOwn } = { isOwn: false }) {
      const id = sha256(content);
      const isKnown = await services.storage.has(pathOf(chatId, id));
      // A crash between the two writes leaves an untrusted artifact.
      if (!isOwn) await services.storage.remove(markOf(chatId, id));
      await services.storage.writeFile(pathOf(chatId, id), content, { mode: 0o600 });
      if (isOwn && !isKnown) await services.storage.writeFile(markOf(chatId, id), '', { mode: 0o600 });
      return id;
    },
    isOwn: async (chatId, id) => services.storage.isId('chat', chatId) && artifactId.test(id) && services.storage.has(markOf(chatId, id)),
    distrust: (chatId, id) => services.storage.remove(markOf(chatId, id)),
    read: async (chatId, id) => (services.storage.isId('chat', chatId) && artifactId.test(id) ? services.storage.readBytes(pathOf(chatId, id)) : undefined),
  };
}
