// The key that a person signs plugins with: made with the first pack, kept in the home folder for this user alone.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Storage } from 'agent-harness/plugins/storage';

const fileName = 'plugin_author_key.pem';

/** Rejects where the file holds something else: it is never replaced. */
export async function openAuthorKey(home: string, storage: Pick<Storage, 'readText' | 'writeFile'>): Promise<KeyObject> {
  const path = join(home, fileName);
  const text = await storage.readText(path);
  if (text !== undefined) return createPrivateKey(text);
  const { privateKey } = generateKeyPairSync('ed25519');
  await storage.writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return privateKey;
}
