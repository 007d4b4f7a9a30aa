// Implements the service of the evidence gates: reads chats and notes, judges proposals, and stores accepted notes.
import type { Note, NotePlace } from 'agent-harness/builtins/tools/memory';
import type { Services } from 'agent-harness/kernel';
import { isIncognito } from '#lib/chat-tags';
import type { EvidenceEntry, EvidenceGates, GateQuestion, GateVerdict, KeptProposal } from './contract.ts';
import { judgeOne, type JudgeParts } from './judge.ts';
import { readEntries } from './read-entries.ts';
import { saysSame } from './stance.ts';
import { likeness } from './support.ts';

const defaultLimit = 16;
/** Maximum number of proposals that are checked per question. */
const maxProposals = 64;
/** Maximum number of automatic notes per scope, beyond which proposals are refused. */
const maxDerived = 1_000;
const nearNotes = 6;
/** Maximum number of deleted notes with which a proposal is compared. */
const forgottenNotes = 500;

type GateServices = Pick<Services, 'notes' | 'chats' | 'eventLog' | 'tools'>;

export function openGates({ notes, chats, eventLog, tools }: GateServices): EvidenceGates {
  async function entriesOf(chatId: string): Promise<{ readonly place: NotePlace; readonly entries: readonly EvidenceEntry[] } | undefined> {
    // `get` rejects for a deleted chat.
    const chat = await chats.get(chatId).catch(() => undefined);
    if (!chat || isIncognito(chat)) return undefined;
    const after = await notes.forgottenUpTo(chatId);
    const entries = await readEntries(eventLog.read(chatId), { find: (name) => tools.find(name), after, workspaceRoot: chat.workspaceRoot });
    const removed = await eventLog.removed(chatId);
    return { place: { chatId, workspaceRoot: chat.workspaceRoot }, entries: entries.filter(({ callId, entryId }) => !removed.has(callId ?? entryId)) };
  }

  async function partsFor({ chats: chatIds }: GateQuestion): Promise<JudgeParts> {
    const known = new Map<string, { readonly place: NotePlace; readonly entries: ReadonlyMap<string, EvidenceEntry> }>();
    for (const chatId of new Set(chatIds)) {
      const found = await entriesOf(chatId);
      if (found) known.set(chatId, { place: found.place, entries: new Map(found.entries.map((entry) => [entry.entryId, entry])) });
    }
    const forgotten = new Map<string, readonly Note[]>();
    return {
      entryOf: (chatId, entryId) => known.get(chatId)?.entries.get(entryId),
      placeOf: (chatId) => known.get(chatId)?.place,
      peek: (place, id, scope) => notes.peek(place, id, scope),
      async near(place, text) {
        const hits = await notes.recall(place, text, { limit: nearNotes, isCounted: false, queries: [text], waitMs: 0 });
        return hits.map(({ note }) => note).filter((note) => !note.isForeign);
      },
      unwantedFor: (note) => notes.unwantedFor(note),
      async forgotten({ workspaceRoot, chatId }) {
        const known = forgotten.get(workspaceRoot) ?? (await notes.forgotten({ workspaceRoot, chatId }, forgottenNotes));
        forgotten.set(workspaceRoot, known);
        return known;
      },
    };
  }

  const judge: EvidenceGates['judge'] = async (proposals, question) => {
    const parts = await partsFor(question);
    const verdicts: GateVerdict[] = [];
    const counts = new Map<string, number>();
    let applied = 0;
    for (const proposal of proposals.slice(0, maxProposals)) {
      const verdict = againstOthers(await judgeOne(proposal, question, parts), verdicts);
      const { place, note } = verdict;
      if (verdict.outcome === 'refuse' || !place || !note) {
        verdicts.push(verdict);
        continue;
      }
      const set = note.scope === 'global' ? '' : place.workspaceRoot;
      const count = counts.get(set) ?? (await notes.countDerived(place, note.scope));
      const isFull = count >= maxDerived || (verdict.outcome === 'apply' && applied >= (question.limit ?? defaultLimit));
      counts.set(set, count + (isFull ? 0 : 1));
      if (!isFull && verdict.outcome === 'apply') applied++;
      verdicts.push(
        isFull
          ? refused(
              verdict,
              count >= maxDerived ? `There are already ${maxDerived} automatic notes; delete some first.` : 'The run has reached its maximum number of notes.',
            )
          : verdict,
      );
    }
    return verdicts;
  };

  return {
    entries: async (chatId) => (await entriesOf(chatId))?.entries ?? [],
    judge,
    async keep(proposals, question) {
      const kept: KeptProposal[] = [];
      for (const verdict of await judge(proposals, question)) {
        const { place, note } = verdict;
        kept.push(place && note ? { ...verdict, kept: await notes.remember(place, note) } : verdict);
      }
      return kept;
    },
  };
}

/** Rejects a proposal that repeats or contradicts an earlier proposal of the same question. */
function againstOthers(verdict: GateVerdict, before: readonly GateVerdict[]): GateVerdict {
  const { note } = verdict;
  if (verdict.outcome !== 'apply' || !note) return verdict;
  const same = before.find(
    (other) => other.note && other.outcome === 'apply' && (other.id === verdict.id || likeness(other.note.value, note.value).contained >= 0.6),
  );
  if (!same?.note) return verdict;
  if (saysSame(same.note.value, note.value)) return refused({ ...verdict, reason: 'known' }, `It is the same as the note ${same.id}.`, 'known');
  const why = `The same run proposes a different statement: ‘${same.note.value}’`;
  return { ...verdict, outcome: 'inbox', reason: 'contradiction', why, note: { ...note, waits: why } };
}

function refused({ place: _, note: __, ...verdict }: GateVerdict, why: string, reason: GateVerdict['reason'] = 'full'): GateVerdict {
  return { ...verdict, outcome: 'refuse', ...(reason === undefined ? {} : { reason }), why };
}
