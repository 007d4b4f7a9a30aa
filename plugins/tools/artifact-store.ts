// Artifacts: files of a chat that are named after the SHA-256 of their bytes.
import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from 'agent-harness/lib/errors';
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
      if (isMissing(fault)) return undefined;
      throw fault;
    }
  }

  /** An empty file beside it; without one, nobody vouches for the artifact. */
  const markOf = (chatId: string, id: string): string => `${pathOf(chatId, id)}.own`;

  return {
    async save(chatId, content, { isOwn } = { isOwn: false }) {
      const id = createHash('sha256').update(content).digest('hex');
      const isKnown = await exists(pathOf(chatId, id));
      // A crash between the two writes leaves an artifact that is not trusted.
      if (!isOwn) await services.storage.remove(markOf(chatId, id));
      await services.storage.writeFile(pathOf(chatId, id), content, { mode: 0o600 });
      if (isOwn && !isKnown) await services.storage.writeFile(markOf(chatId, id), '', { mode: 0o600 });
      return id;
    },
    isOwn: async (chatId, id) => services.storage.isId('chat', chatId) && artifactId.test(id) && exists(markOf(chatId, id)),
    distrust: (chatId, id) => services.storage.remove(markOf(chatId, id)),
    read,
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
