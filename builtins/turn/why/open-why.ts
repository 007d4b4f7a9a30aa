// Lazily built implementation of the `why` service, opened at the first question or record.
import type { Notes } from 'agent-harness/builtins/tools/memory';
import type { SlashAnswer, SlashContext } from 'agent-harness/plugins/commands';
import type { JournalStore, Storage } from 'agent-harness/plugins/storage';
import type { View, ViewAnswer, ViewCall, ViewContext } from 'agent-harness/plugins/views';
import { viewMarkdown, viewText } from 'agent-harness/view';
import type { KeepsText, Why } from './contract.ts';
import { createDerivedNotes, type DerivedNotes } from './derived-notes.ts';
import { createWhy } from './explain.ts';
import type { WhyParts } from './known-chat.ts';
import { copyProvenance, forgetInPrompts, storeProvenance } from './store-provenance.ts';
import { createProvenanceStore, type ProvenanceStoreParts } from './provenance-store.ts';
import { writeNoteOrigins, writeTextOrigins, type KeptNote } from './note-origins.ts';
import { createNotesInPrompts } from './notes-in-prompts.ts';
import type { TurnProvenance } from './turn-provenance.ts';
import type { WhyViewParts } from './why-offers.ts';
import { parameters } from './why-parameters.ts';
import { actInView, readAbout, readView, viewOf } from './why-view.ts';

export interface OpenWhyParts extends Omit<WhyParts, 'store' | 'derived' | 'notes' | 'chats' | 'isThere'> {
  readonly chats: WhyParts['chats'] & ProvenanceStoreParts['chats'];
  readonly storage: Storage;
  readonly journals: JournalStore;
  onFault(cause: unknown): void;
  readonly notes: Notes | undefined;
  readonly turns: WhyViewParts['turns'];
  /** The plugin's own folder. */
  readonly folder: string;
}

export interface OpenedWhy {
  readonly why: Pick<Why, 'explain'>;
  /** Stores the provenance of a turn, without what was forgotten since. */
  keep(chatId: string, turnId: string, provenance: TurnProvenance): Promise<void>;
  /** Copies the provenance of turns to another chat that includes them. */
  copy(from: string, to: string, turns: ReadonlySet<string>): Promise<void>;
  readonly derived: DerivedNotes;
  noteKept(note: KeptNote): Promise<void>;
  textKept(text: KeepsText): Promise<void>;
  noteForgotten(note: Omit<KeptNote, 'chatId'>): Promise<void>;
  noteRestored(note: Omit<KeptNote, 'chatId'>): Promise<void>;
  read(context: ViewContext): Promise<View>;
  act(call: ViewCall, context: ViewContext): Promise<ViewAnswer>;
  command(context: SlashContext): Promise<SlashAnswer>;
}

export function openWhy({ storage, journals, onFault, folder, turns, ...parts }: OpenWhyParts): OpenedWhy {
  const { chats, notes } = parts;
  const store = createProvenanceStore({ chats, storage, journals, onFault });
  const derived = createDerivedNotes(folder, storage);
  const keeping = { chats, notes, store, inPrompts: createNotesInPrompts(folder, storage) };
  const why = createWhy({ ...parts, store, derived, isThere: (chatId) => storage.has(chats.folder(chatId)) });
  const view: WhyViewParts = { why, notes, derived, turns, keepers: parts.keepers };
  return {
    ...{ why, derived },
    keep: (chatId, turnId, provenance) => storeProvenance(keeping, chatId, turnId, provenance),
    copy: (from, to, turns) => copyProvenance(keeping, from, to, turns),
    async noteForgotten(note) {
      await forgetInPrompts(keeping, note);
      await derived.dropQuotes(note.noteId, async ({ chatId, workspaceRoot, scope }) => {
        const found = await notes?.peek({ chatId, workspaceRoot }, note.noteId, scope);
        return found === undefined || found.deletedAt !== undefined;
      });
    },
    async noteRestored({ noteId, scope }) {
      for (const row of await derived.all()) {
        if (!notes || row.keeper !== undefined || row.noteId !== noteId || row.scope !== scope || !(await storage.has(chats.folder(row.chatId)))) continue;
        await writeNoteOrigins({ ...parts, notes, derived }, row);
      }
    },
    noteKept: async (note) => (notes ? writeNoteOrigins({ ...parts, notes, derived }, note) : undefined),
    textKept: (text) => writeTextOrigins({ ...parts, derived }, text),
    read: (context) => readView(view, context),
    act: (call, context) => actInView(view, call, context),
    async command({ args, chatId }) {
      const question = { chatId, ...readAbout(args) };
      const values = { about: args, chat: chatId, text: '' };
      const shown: View = { name: 'why', ...viewOf(await why.explain(question), question), parameters: { input: parameters, values } };
      const command = '/view';
      return { text: viewText(shown, { columns: 80, command }), kept: viewMarkdown(shown, command), view: shown };
    },
  };
}
