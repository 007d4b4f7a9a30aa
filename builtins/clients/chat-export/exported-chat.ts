// Builds the file of an exported chat, without data that only this machine can use.
import { redactSecrets } from '#lib/secrets';
import { createSlices } from '#lib/event-loop';
import type { Chats } from 'agent-harness/plugins/chats';
import { callText, type Entry } from 'agent-harness/transcript';
import * as Type from 'typebox';

const text = Type.String();
const at = Type.String({ description: 'ISO 8601 UTC.' });

const isTakenOut = Type.Optional(Type.Literal(true, { description: 'Removed from the conversation: no model reads it.' }));

export const entrySchema = Type.Union([
  Type.Object({
    kind: Type.Literal('user'),
    at,
    text,
    files: Type.Optional(Type.Array(text, { description: 'Names of the files; their contents are not included.' })),
    isTakenOut,
  }),
  Type.Object({ kind: Type.Literal('assistant'), at, text, reasoning: Type.Optional(text), isTakenOut }),
  Type.Object({
    ...{ kind: Type.Literal('tool'), at, name: text, subject: Type.Optional(Type.String({ description: 'Subject of the call, in one line.' })) },
    ...{ args: Type.Optional(Type.Record(text, Type.Unknown())), ok: Type.Boolean(), output: text, durationMs: Type.Optional(Type.Number()), isTakenOut },
  }),
  Type.Object({ kind: Type.Literal('note'), at, text }),
]);

/** Identifies the file type and version. */
export const fileSchema = Type.Object({
  format: Type.Literal('agent-chat'),
  version: Type.Literal(1),
  chat: Type.Object({
    chatId: text,
    title: text,
    createdAt: at,
    updatedAt: at,
    workspaceRoot: Type.Optional(Type.String({ description: 'Workspace of the chat. An import does not use it.' })),
    model: Type.Optional(text),
    tags: Type.Array(text),
  }),
  entries: Type.Array(entrySchema, { maxItems: 1_000_000 }),
  isCut: Type.Optional(Type.Boolean({ description: 'Only the end of the chat is included.' })),
});

export type ExportedChat = Type.Static<typeof fileSchema>;
export type ExportedEntry = ExportedChat['entries'][number];

/** Text shown below removed entries in the file. */
export const removedLine = 'Removed from the conversation: the model no longer reads this.';

const pageSize = 2_000;
/** Maximum number of exported entries; a browser could not display more. */
const mostEntries = 100_000;

export interface ExportOptions {
  /** Whether to remove likely secrets and the folder. */
  readonly redact: boolean;
}

/** Exports a chat. Rejects with `not_found` if it does not exist. */
export async function exportChat(chats: Chats, chatId: string, { redact }: ExportOptions): Promise<ExportedChat> {
  const { title, createdAt, updatedAt, workspaceRoot, model, tags } = await chats.get(chatId);
  const pages: ExportedEntry[][] = [];
  const pause = createSlices();
  let count = 0;
  let before: string | undefined;
  do {
    const page = await chats.transcript(chatId, { limit: pageSize, ...(before === undefined ? {} : { before }) });
    const entries: ExportedEntry[] = [];
    for (const entry of page.entries) {
      const kept = exportedEntry(entry, redact ? redactSecrets : (given) => given);
      if (kept) entries.push(kept.kind !== 'note' && 'isRemoved' in entry ? { ...kept, isTakenOut: true } : kept);
      await pause();
    }
    count += entries.length;
    pages.push(entries);
    before = page.cursor;
  } while (before !== undefined && count < mostEntries);
  return {
    format: 'agent-chat',
    version: 1,
    chat: {
      chatId,
      title: redact ? redactSecrets(title) : title,
      createdAt,
      updatedAt,
      ...(redact ? {} : { workspaceRoot }),
      ...(model === undefined ? {} : { model }),
      tags,
    },
    entries: pages.reverse().flat(),
    ...(before === undefined ? {} : { isCut: true }),
  };
}

function exportedEntry(entry: Entry, clean: (text: string) => string): ExportedEntry | undefined {
  const { at } = entry;
  switch (entry.kind) {
    case 'user': {
      const files = entry.attachments.map(({ name }) => name);
      return { kind: 'user', at, text: clean(entry.text), ...(files.length === 0 ? {} : { files }) };
    }
    case 'assistant':
      return { kind: 'assistant', at, text: clean(entry.text), ...(entry.reasoning === '' ? {} : { reasoning: clean(entry.reasoning) }) };
    case 'tool': {
      const subject = clean(callText(entry));
      const { name, args, ok = false, output = '', durationMs } = entry;
      const told = args === undefined ? {} : { args: cleanArgs(args, clean) };
      return {
        kind: 'tool',
        at,
        name,
        ok,
        output: clean(output),
        ...told,
        ...(subject === '' ? {} : { subject }),
        ...(durationMs === undefined ? {} : { durationMs }),
      };
    }
    default:
      return entry.text === '' ? undefined : { kind: 'note', at, text: clean(entry.text) };
  }
}

/** Returns the arguments with all nested texts cleaned. */
function cleanArgs<T>(value: T, clean: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) => (typeof inner === 'string' ? clean(inner) : inner)) as T;
}
