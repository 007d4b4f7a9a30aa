// Creates the modules of the service `why` when the first question is asked or the first record is made.
import { join } from 'node:path';
import { isRecord } from '#lib/values';
import type { KeepsText, Why } from './contract.ts';
import { createDerivedNotes } from './derived-notes.ts';
import { createWhy } from './explain.ts';
import type { WhyParts } from './known-chat.ts';
import { writeNoteOrigins, writeTextOrigins, type KeptNote } from './note-origins.ts';
import { createProvenanceStore } from './provenance-store.ts';

export interface OpenWhyParts extends Omit<WhyParts, 'store' | 'derived'> {
  /** Absolute path of the plugin's own folder. */
  readonly folder: string;
  onFault(cause: unknown): void;
}

export interface OpenedWhy extends WhyParts, Pick<Why, 'explain'> {
  noteKept(note: KeptNote): Promise<void>;
  textKept(text: KeepsText): Promise<void>;
  noteForgotten(note: Omit<KeptNote, 'chatId'>): Promise<void>;
  noteRestored(note: Omit<KeptNote, 'chatId'>): Promise<void>;
}

export function openWhy({ folder, onFault, ...given }: OpenWhyParts): OpenedWhy {
  const { chats, journals, notes, storage } = given.services;
  const derived = createDerivedNotes(folder, storage);
  const parts: WhyParts = { ...given, derived, store: createProvenanceStore({ chats, journals, storage, onFault }) };
  const why = createWhy(parts);
  return {
    ...parts,
    ...why,
    async noteForgotten({ noteId }) {
      // Version 0.1 stored the words of notes, and listed the chats that contain them in this file; reading a chat replaces the words.
      const chatIds = (await storage.readJson(join(folder, 'notes-in-prompts.json'), isRecord))?.[noteId];
      for (const chatId of Array.isArray(chatIds) ? chatIds : []) await parts.store.read(String(chatId));
      await derived.dropQuotes(noteId, async ({ chatId, workspaceRoot, scope }) => {
        const found = scope && (await notes?.peek({ chatId, workspaceRoot }, noteId, scope));
        return found === undefined || found.deletedAt !== undefined;
      });
    },
    async noteRestored({ noteId, scope }) {
      for (const row of await derived.all())
        if (row.noteId === noteId && row.scope === scope && (await storage.has(chats.folder(row.chatId)))) await writeNoteOrigins(parts, { ...row, scope });
    },
    noteKept: (note) => writeNoteOrigins(parts, note),
    textKept: (text) => writeTextOrigins(parts, text),
  };
}
