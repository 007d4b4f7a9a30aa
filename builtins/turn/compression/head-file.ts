// Stores the compressed beginning of a conversation on disk, so that the server sends the same request after a restart.
import { join } from 'node:path';
import type { Services } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/storage';
import type { ModelMessage } from 'agent-harness/plugins/models';
import { fingerprintOf, keyOf } from './conversation-parts.ts';
import type { Digest } from './lay-out.ts';

/** Messages that replace the first `cut` messages of a conversation. */
export interface Head {
  readonly cut: number;
  /** Number of messages that became lines or part of the digest. From there to `cut`, the texts of messages are shortened. */
  readonly folded: number;
  readonly messages: readonly ModelMessage[];
  /** Fingerprint of the replaced messages. */
  readonly fingerprint: string;
  /** Key of the last replaced message, for a quick check. */
  readonly lastKey: string;
  /** Estimated tokens of the request immediately after the compression. */
  readonly after: number;
  /** Tokens counted by the provider per estimated token, if known. */
  readonly ratio: number;
  readonly artifactId?: string | undefined;
  readonly digest?: Digest | undefined;
}

export interface HeadFile {
  /** Returns the stored data; `undefined` if there is none, or if it belongs to another conversation. Never rejects. */
  read(chatId: string, messages: readonly ModelMessage[]): Promise<Head | undefined>;
  write(chatId: string, head: Head): Promise<void>;
  /** Copies the stored data to another chat; missing data is not an error. */
  copy(from: string, to: string): Promise<void>;
  remove(chatId: string): Promise<void>;
}

const version = 2;

export function createHeadFile({ chats, storage }: Pick<Services, 'chats' | 'storage'>): HeadFile {
  const pathOf = (chatId: string): string => join(chats.folder(chatId), 'context.json');
  return {
    async read(chatId, messages) {
      const saved = await storage.readJson(pathOf(chatId), isHeadOfAnyVersion).catch(() => undefined);
      if (!isHead(saved) || saved.cut > messages.length) return undefined;
      return fingerprintOf(messages.slice(0, saved.cut)) === saved.fingerprint ? saved : undefined;
    },
    write: (chatId, head) => storage.writeJson(pathOf(chatId), { version, ...head }),
    async copy(from, to) {
      const saved = await storage.readJson(pathOf(from), isHeadOfAnyVersion);
      if (saved !== undefined) await storage.writeJson(pathOf(to), saved);
    },
    remove: (chatId) => storage.remove(pathOf(chatId)),
  };
}

/** Returns whether the stored data still matches. A cheap check per request is enough, because the conversation only grows and resets are announced. */
export function stillFits(head: Head, messages: readonly ModelMessage[]): boolean {
  return head.cut <= messages.length && keyOf(messages[head.cut - 1]) === head.lastKey;
}

/** Accepts data of any version; if the version differs, the compressor rebuilds the data. */
function isHeadOfAnyVersion(saved: unknown): saved is object {
  const { version: written } = (saved ?? {}) as { readonly version?: unknown };
  return isHead(saved) || (Number.isInteger(written) && written !== version);
}

function isHead(saved: unknown): saved is Head {
  if (typeof saved !== 'object' || saved === null) return false;
  const { version: written, cut, folded, messages, fingerprint, lastKey, after, ratio, artifactId, digest } = saved as Record<string, unknown>;
  const isWhole =
    written === version && Number.isInteger(cut) && Number(cut) > 0 && Number.isInteger(folded) && typeof after === 'number' && typeof ratio === 'number';
  return (
    isWhole && typeof fingerprint === 'string' && typeof lastKey === 'string' && isMessages(messages) && isTextOrNone(artifactId) && isDigestOrNone(digest)
  );
}

function isMessages(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((one: unknown) => typeof one === 'object' && one !== null && 'role' in one && 'text' in one && typeof one.text === 'string')
  );
}

const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === 'string';

function isDigestOrNone(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string' && 'end' in value && Number.isInteger(value.end))
  );
}
