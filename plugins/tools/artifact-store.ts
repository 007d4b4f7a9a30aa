// Artifacts: files of a chat that are named after the SHA-256 of their bytes.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Artifacts } from './contract.ts';

const artifactId = /^[0-9a-f]{64}$/;

/** Reads the services at each use. */
export function createArtifactStore(services: { readonly chats: Chats; readonly storage: Storage }): Artifacts {
  const pathOf = (chatId: string, id: string): string => join(services.chats.folder(chatId), 'artifacts', id);

  async function read(chatId: string, id: string): Promise<Uint8Array | undefined> {
    if (!services.storage.isId('chat', chatId) || !artifactId.test(id)) return undefined;
    try {
      return await readFile(pathOf(chatId, id));
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw fault;
    }
  }

  return {
    async save(chatId, content) {
      const id = createHash('sha256').update(content).digest('hex');
      await services.storage.writeFile(pathOf(chatId, id), content, { mode: 0o600 });
      return id;
    },
    read,
  };
}
