// Implements the memory tools, and formats notes for the model.
import { textStart } from '#lib/text';
import type { Turn } from 'agent-harness/plugins/agent';
import type { RunTool, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import type { Note, NoteHit, NoteScope, TurnIntent, TurnIntentKey } from './contract.ts';
import { findAround } from './notes/note-graph.ts';
import type { NoteStore } from './notes/note-store.ts';
import type { NoteFiles } from './notes/open-note-files.ts';
import { keyOfNote, type TrackNotes } from './undoable-notes.ts';

export interface MemoryToolParts {
  readonly store: NoteStore;
  readonly noteFiles: NoteFiles;
  /** Returns the turn of a call; `undefined` if unknown. */
  turnOf(turnId: string): Turn | undefined;
  /** Tracks changes of notes; omitted if there is no undo. */
  readonly track?: TrackNotes | undefined;
  /** Called for each new note of a turn. */
  remembered(context: ToolContext, note: Note): void;
}

/** Maximum length of a note in a long list, in UTF-16 code units. */
const listedValue = 1_200;
const intentKey: TurnIntentKey = 'recall-intent';

export function createMemoryTools({ store, noteFiles, turnOf, track, remembered }: MemoryToolParts): Readonly<Record<string, RunTool>> {
  async function remember(args: { key: string; value: string; type?: string; scope?: NoteScope }, context: ToolContext): Promise<ToolOutcome> {
    // An unknown turn may have read external content.
    const isTainted = turnOf(context.turnId)?.isTainted ?? true;
    const note = await store.remember(context, {
      ...named(args.key, args.type),
      value: args.value,
      ...(args.scope === undefined ? {} : { scope: args.scope }),
      source: { kind: isTainted ? 'web' : 'model', ref: context.turnId },
    });
    if (note.isPending) {
      return {
        ok: true,
        output: `${note.replaces ?? note.id} is in the inbox (${note.scope}): this turn read external content, so the user must accept the note first.`,
      };
    }
    remembered(context, note);
    return { ok: true, output: `Remembered ${note.id} (${note.scope})${note.revision > 1 ? `, revision ${note.revision}` : ''}.` };
  }

  async function recall({ key }: { key: string }, context: ToolContext): Promise<ToolOutcome> {
    const note = await store.find(context, key);
    if (!note) return { ok: false, error: `There is no note '${key}'.`, hint: 'Search notes with recall_relevant.' };
    return { ok: true, output: describe(note, Infinity), ...(note.isForeign ? { isUntrusted: true } : {}) };
  }

  async function recallRelevant({ query, k }: { query: string; k?: number }, context: ToolContext): Promise<ToolOutcome> {
    const intent = turnOf(context.turnId)?.notes.get(intentKey) as TurnIntent | undefined;
    const hits = await store.recall(context, query, { ...(k === undefined ? {} : { limit: k }), isExploratory: intent === 'exploratory' });
    if (hits.length === 0) return { ok: true, output: 'No relevant notes.' };
    return { ok: true, output: hits.map(({ note }) => describe(note, listedValue)).join('\n\n'), ...untrustedWhere(hits.map((hit: NoteHit) => hit.note)) };
  }

  async function forget({ key, scope }: { key: string; scope?: NoteScope }, context: ToolContext): Promise<ToolOutcome> {
    const note = await forgetTracked(key, scope, context);
    if (!note) return { ok: false, error: `There is no note '${key}'.`, hint: 'Search notes with recall_relevant.' };
    return { ok: true, output: `Forgot ${note.id} (${note.scope}). It can be restored for 30 days.` };
  }

  async function forgetTracked(key: string, scope: NoteScope | undefined, context: ToolContext): Promise<Note | undefined> {
    const found =
      track &&
      (scope === undefined ? await store.find(context, key) : (await store.newest(context, [scope], Infinity)).find((one) => [one.id, one.key].includes(key)));
    const forget = (): Promise<Note | undefined> => store.forget(context, key, scope);
    return track && found ? track(context, [keyOfNote(found)], forget) : forget();
  }

  async function memoryGraph({ key, steps = 1 }: { key: string; steps?: number }, context: ToolContext): Promise<ToolOutcome> {
    const start = await store.find(context, key);
    if (!start) return { ok: false, error: `There is no note '${key}'.`, hint: 'Search notes with recall_relevant.' };
    const around = await findAround(await noteFiles.open(context, [start.scope]), start.id, steps);
    const lines = around.map(({ note, step, via }) => `- step ${step}, ${via}: ${describe(note, 300).replaceAll('\n', ' ')}`);
    const output = [describe(start, listedValue), lines.length === 0 ? 'No linked notes.' : `Linked:\n${lines.join('\n')}`].join('\n\n');
    return { ok: true, output, ...untrustedWhere([start, ...around.map(({ note }) => note)]) };
  }

  return { remember, recall, recall_relevant: recallRelevant, forget, memory_graph: memoryGraph };
}

/** Splits a key such as `recipe:deploy`, which includes the type unless the type is given separately. */
function named(key: string, type: string | undefined): { readonly type: string; readonly key: string } {
  if (type !== undefined) return { type, key: key.startsWith(`${type}:`) ? key.slice(type.length + 1) : key };
  const [, prefix, rest] = /^([a-z][a-z0-9_-]{0,31}):(?!\/)(\S[\s\S]*)$/.exec(key) ?? [];
  return prefix !== undefined && rest !== undefined ? { type: prefix, key: rest } : { type: 'fact', key };
}

function describe(note: Note, length: number): string {
  const value = note.value.length > length ? `${textStart(note.value, length)}… (${note.value.length} characters; use recall)` : note.value;
  const isOfTeam = note.source.kind === 'team';
  const from = isOfTeam ? `${note.source.ref} of the team` : note.source.kind;
  const foreign = note.isForeign ? (isOfTeam ? ', who may be wrong' : ', came with this folder, not reviewed') : '';
  return `[${note.id}] (${note.scope}, ${note.updatedAt.slice(0, 10)}, from ${from}${foreign})\n${value}`;
}

function untrustedWhere(notes: readonly Note[]): { readonly isUntrusted?: true } {
  return notes.some((note) => note.isForeign) ? { isUntrusted: true } : {};
}
