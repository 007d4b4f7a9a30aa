// Persists messages across reloads, in a text storage that several pages may share.
import type { KeptTexts } from './client-contract.ts';
import type { Outgoing } from './state.ts';

export interface KeptMessage extends Outgoing {
  /** Why the server refused it. */
  readonly problem?: string;
  /** Its files were too large for the storage. */
  readonly lostFiles?: true;
}

export interface KeptMessages {
  read(): readonly KeptMessage[];
  /** Returns whether everything is stored; files that are too large are left out. */
  put(message: KeptMessage): boolean;
  remove(clientId: string): void;
}

const key = 'outbox';

export function keepMessages(texts: KeptTexts | undefined): KeptMessages {
  /** Read each time: another page may have written. */
  function read(): KeptMessage[] {
    try {
      const parsed: unknown = JSON.parse(texts?.getItem(key) ?? '[]');
      return Array.isArray(parsed) ? parsed.filter(isMessage) : [];
    } catch {
      return []; // another format, or broken: it contains no message
    }
  }

  function write(messages: readonly KeptMessage[]): boolean {
    try {
      if (messages.length === 0) texts?.removeItem(key);
      else texts?.setItem(key, JSON.stringify(messages));
      return true;
    } catch {
      return false; // over the quota, or disabled
    }
  }

  return {
    read,
    put(message) {
      const at = read();
      const withIt = (one: KeptMessage): KeptMessage[] => (at.some(isIt) ? at.map((old) => (isIt(old) ? one : old)) : [...at, one]);
      const isIt = (old: KeptMessage): boolean => old.clientId === message.clientId;
      if (write(withIt(message))) return true;
      if (message.attachments.length > 0) write(withIt({ ...message, attachments: [], lostFiles: true }));
      return false;
    },
    remove(clientId) {
      const all = read();
      const left = all.filter((one) => one.clientId !== clientId);
      if (left.length < all.length) write(left);
    },
  };
}

function isMessage(value: unknown): value is KeptMessage {
  const { clientId, chatId, text, attachments } = (value ?? {}) as Partial<KeptMessage>;
  return typeof clientId === 'string' && typeof chatId === 'string' && typeof text === 'string' && Array.isArray(attachments);
}
