// Collects the input of a dream: the latest messages of the newest chats and the existing notes, within the size limit of one request.
import type { EvidenceEntry, EvidenceGates } from 'agent-harness/builtins/background/evidence-gates';
import type { Note, NotePlace, Notes } from 'agent-harness/builtins/tools/memory';
import { clip, textEnd } from '#lib/text';
import type { ChatMeta, Chats } from 'agent-harness/plugins/chats';

export interface Material {
  readonly sessions: readonly { readonly chatId: string; readonly title: string; readonly characters: number }[];
  readonly characters: number;
  /** The material may contain external content, including tool output. */
  readonly isForeign: boolean;
  /** Chat entries as JSON lines, grouped by chat. */
  readonly text: string;
  readonly notes: readonly { readonly note: Note; readonly place: NotePlace }[];
  wasShown(entry: EvidenceEntry, quote: string): boolean;
}

export interface MaterialCaps {
  readonly maxFiles: number;
  readonly maxPerSession: number;
  readonly maxTotal: number;
}

/** Maximum length of tool output in UTF-16 code units; the beginning is enough to identify it. */
const toolText = 1_200;
/** Characters per line in addition to the text. */
const lineOverhead = 150;
const shownNotes = 80;
const noteText = 240;

/** Returns the chats that continued after the given time, newest first. */
export async function touchedChats(chats: Chats, after: number): Promise<ChatMeta[]> {
  const { chats: all } = await chats.list({ archived: true });
  return all.filter((chat) => chat.turns > 0 && Date.parse(chat.updatedAt) > after).sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
}

export async function gatherMaterial(touched: readonly ChatMeta[], gates: EvidenceGates, notes: Notes, caps: MaterialCaps): Promise<Material> {
  const shown = new Map<string, string>();
  const sessions: { chatId: string; title: string; characters: number }[] = [];
  const parts: string[] = [];
  let left = caps.maxTotal;
  let isForeign = false;
  for (const { chatId, title } of touched) {
    if (sessions.length >= caps.maxFiles || left < lineOverhead * 2) break;
    let room = Math.min(caps.maxPerSession, left);
    const before = room;
    const lines: string[] = [];
    for (const entry of (await gates.entries(chatId)).toReversed()) {
      const whole = entry.by === 'tool' ? clip(entry.text, toolText) : entry.text;
      if (room < lineOverhead * 2) break;
      let text = textEnd(whole, room - lineOverhead);
      // JSON escapes take additional space.
      while (lineOf(entry, text).length > room) text = textEnd(text, text.length >> 1);
      const line = lineOf(entry, text);
      room -= line.length;
      isForeign ||= entry.class !== 'user' && entry.class !== 'model';
      shown.set(`${chatId} ${entry.entryId}`, text);
      lines.unshift(line);
    }
    if (lines.length === 0) continue;
    left -= before - room;
    sessions.push({ chatId, title, characters: before - room });
    parts.push([`Chat ${chatId}`, ...lines].join('\n'));
  }
  return {
    ...{ sessions, characters: caps.maxTotal - left, isForeign, text: parts.join('\n\n') },
    notes: await notesOf(
      touched.filter(({ chatId }) => sessions.some((one) => one.chatId === chatId)),
      notes,
    ),
    wasShown: ({ chatId, entryId }, quote) => shown.get(`${chatId} ${entryId}`)?.includes(quote) ?? false,
  };
}

function lineOf({ entryId, by, class: origin, at }: EvidenceEntry, text: string): string {
  return JSON.stringify({ entry: entryId, by, ...(origin === 'web' ? { untrusted: true } : {}), at: at.slice(0, 10), text });
}

async function notesOf(chats: readonly ChatMeta[], notes: Notes): Promise<{ note: Note; place: NotePlace }[]> {
  const found = new Map<string, { note: Note; place: NotePlace }>();
  const places = new Map(chats.map(({ chatId, workspaceRoot }) => [workspaceRoot, { chatId, workspaceRoot }]));
  for (const place of places.values()) {
    for (const note of await notes.newest(place, ['workspace', 'global'], shownNotes)) {
      if (!note.isForeign) found.set(`${note.scope === 'global' ? '' : place.workspaceRoot} ${note.id}`, { note, place });
    }
  }
  return [...found.values()].sort((one, other) => (one.note.updatedAt < other.note.updatedAt ? 1 : -1)).slice(0, shownNotes);
}

export function noteLines(notes: Material['notes']): string {
  return notes.map(({ note }) => JSON.stringify({ id: note.id, scope: note.scope, text: clip(note.value, noteText) })).join('\n');
}
