// Stores outgoing messages across reloads in a text storage that several pages may share.
import type { KeptTexts } from './client-contract.ts';
import type { Outgoing } from './state.ts';

export interface StoredMessage extends Outgoing {
  /** Reason why the server refused the message. */
  readonly problem?: string;
  /** Whether the message's files were too large for the storage. */
  readonly lostFiles?: true;
}

export interface StoredMessages {
  read(): readonly StoredMessage[];
  /** Stores a message. Returns whether everything was stored; files that are too large are omitted. */
  put(message: StoredMessage): boolean;
  remove(clientId: string): void;
}

const key = 'outbox';
/** Browsers store about 5 million characters per site. A longer text would block the page for seconds, only to be refused. */
const maxFileChars = 5_000_000;

export function storeMessages(texts: KeptTexts | undefined): StoredMessages {
  /** Reads the stored messages each time, because another page may have written them. */
  function read(): StoredMessage[] {
    try {
      const parsed: unknown = JSON.parse(texts?.getItem(key) ?? '[]');
      return Array.isArray(parsed) ? parsed.filter(isMessage) : [];
    } catch {
      return []; // another format or a damaged text: it contains no message
    }
  }

  function write(messages: readonly StoredMessage[]): boolean {
    try {
      if (messages.length === 0) texts?.removeItem(key);
      else texts?.setItem(key, JSON.stringify(messages));
      return true;
    } catch {
      return false; // the storage is over its quota or disabled
    }
  }

  return {
    read,
    put(message) {
      const at = read();
      const withIt = (one: StoredMessage): StoredMessage[] => (at.some(isIt) ? at.map((old) => (isIt(old) ? one : old)) : [...at, one]);
      const isIt = (old: StoredMessage): boolean => old.clientId === message.clientId;
      const fileChars = message.attachments.reduce((sum, { dataUrl }) => sum + dataUrl.length, 0);
      if (fileChars <= maxFileChars && write(withIt(message))) return true;
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

function isMessage(value: unknown): value is StoredMessage {
  const { clientId, chatId, text, attachments } = (value ?? {}) as Partial<StoredMessage>;
  return typeof clientId === 'string' && typeof chatId === 'string' && typeof text === 'string' && Array.isArray(attachments);
}
