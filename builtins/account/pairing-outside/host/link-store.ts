// Stores the links of remotely paired devices: relay code and key per device, in one file that only the user can read.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { secretIn, secretText } from '#lib/sealed-link';
import { isRecord } from '#lib/values';
import type { Product, Storage } from 'agent-harness/plugins/storage';

export interface StoredLink {
  readonly deviceId: string;
  readonly code: string;
  readonly secret: Uint8Array;
}

export interface LinkStore {
  /** Returns all valid links of the file. */
  list(): Promise<readonly StoredLink[]>;
  /** Creates a link with a new code and key for a device. */
  add(deviceId: string): Promise<StoredLink>;
  remove(deviceIds: readonly string[]): Promise<void>;
}

interface LinkFile {
  readonly links: readonly unknown[];
}

/** Same alphabet as the pairing codes. */
const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Generates a relay code, which grants no access without the key. */
export const drawCode = (): string => [...randomBytes(8)].map((byte) => signs[byte % signs.length]).join('');

export function createLinkStore(storage: Storage, { home }: Pick<Product, 'home'>): LinkStore {
  const path = join(home, 'outside_links.json');
  return {
    list: async () => linksIn(await storage.readJson(path, isLinkFile)),
    async add(deviceId) {
      const link: StoredLink = { deviceId, code: drawCode(), secret: new Uint8Array(randomBytes(32)) };
      const row = { ...link, secret: secretText(link.secret) };
      await storage.updateJson<LinkFile>(path, (file) => ({ ...file, links: [...(file?.links ?? []), row] }), { shape: isLinkFile });
      return link;
    },
    async remove(deviceIds) {
      const isLeft = (row: unknown): boolean => !(isRecord(row) && deviceIds.includes(String(row['deviceId'])));
      await storage.updateJson<LinkFile>(path, (file) => ({ ...file, links: (file?.links ?? []).filter(isLeft) }), { shape: isLinkFile });
    },
  };
}

function isLinkFile(value: unknown): value is LinkFile {
  return Array.isArray((value as Partial<LinkFile> | null)?.links);
}

/** Ignores invalid entries of a hand-edited file. */
function linksIn(file: LinkFile | undefined): StoredLink[] {
  return (file?.links ?? []).flatMap((row) => {
    if (!isRecord(row)) return [];
    const { deviceId, code, secret } = row;
    const key = typeof secret === 'string' ? secretIn(secret) : undefined;
    return key && typeof deviceId === 'string' && typeof code === 'string' && /^[0-9A-Z]{8}$/.test(code) ? [{ deviceId, code, secret: key }] : [];
  });
}
