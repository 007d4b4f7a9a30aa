// Plans the note changes of a dream from the model's reply, each with its reason, without applying them.
import { textStart } from '#lib/text';
import type { EvidenceGates } from 'agent-harness/builtins/background/evidence-gates';
import type { Note, Notes } from 'agent-harness/builtins/tools/memory';
import type { DreamChange, DreamRefusal, DreamRun } from './contract.ts';
import type { Material } from './material.ts';
import { mostDeletes, mostUpserts, type DreamReply } from './read-reply.ts';

export interface PlannedRun {
  readonly changes: readonly DreamChange[];
  readonly refused: readonly DreamRefusal[];
  readonly forged: number;
}

const weekMs = 7 * 86_400_000;

/** Returns the planned changes. If the reply names a note that the model did not receive, discards the whole reply and returns an error text. */
export async function planRun(
  reply: DreamReply,
  {
    material,
    runId,
    gates,
    notes,
    mayDelete,
    former,
  }: {
    readonly material: Material;
    readonly runId: string;
    readonly gates: EvidenceGates;
    readonly notes: Notes;
    readonly mayDelete: boolean;
    readonly former: readonly DreamRun[];
  },
): Promise<PlannedRun | string> {
  const unknown = reply.deletes.find(({ id, scope }) => !shownAs(material, id, scope));
  if (unknown) return `The reply names the note ‘${textStart(unknown.id, 100)}’, which the model did not receive.`;
  const changes: DreamChange[] = [];
  const refused: DreamRefusal[] = [];
  const question = { by: 'dream', ref: runId, chats: material.sessions.map(({ chatId }) => chatId), wasShown: material.wasShown, limit: mostUpserts };
  const undone = undoneEntries(former);
  const verdicts = await gates.judge(reply.upserts.slice(0, mostUpserts), question);
  for (const { outcome, reason = 'shape', why, id, value, place, note, evidence } of verdicts) {
    if (note && evidence.every(({ entryId }) => undone.has(`${id} ${entryId}`)))
      refused.push({ id, value, reason: 'unwanted', why: 'You undid this note before, and there is no new evidence.', evidence });
    else if (outcome === 'refuse' || !place || !note) refused.push({ id, value, reason, why, evidence });
    else {
      const edit = await notes.plan(
        place,
        note,
        changes.map((change) => change.edit),
      );
      changes.push({ kind: outcome === 'inbox' ? 'waits' : edit.from ? 'changed' : 'kept', id, scope: edit.scope, why, edit });
    }
  }
  for (const one of reply.upserts.slice(mostUpserts, mostUpserts + 50)) {
    const { id = '', key = '' } = Object(one) as { id?: unknown; key?: unknown };
    refused.push({ id: textStart(String(id || key), 200), value: '', reason: 'full', why: `A run stores at most ${mostUpserts} notes.`, evidence: [] });
  }
  for (const [at, { id, scope, why }] of reply.deletes.entries()) {
    const shown = shownAs(material, id, scope);
    if (!shown) continue;
    const refuse = (reason: DreamRefusal['reason'], text: string): void =>
      void refused.push({ id, value: textStart(shown.note.value, 400), reason, why: text, evidence: [] });
    const isTaken = changes.some((change) => change.edit.id === id && change.scope === shown.note.scope);
    if (!mayDelete) refuse('not_allowed', 'Dreams may not delete notes.');
    else if (at >= mostDeletes) refuse('full', `A run deletes at most ${mostDeletes} notes.`);
    else if (shown.note.isPinned) refuse('pinned', 'The note is pinned.');
    else if (isOfLastWeek(shown.note)) refuse('yours', 'You wrote the note in the last 7 days.');
    else if (isTaken) refuse('contradiction', 'The same run writes a new value for this note.');
    else {
      const from = await notes.content(shown.place, id, shown.note.scope);
      const now = new Date().toISOString();
      // The note moves to the deleted notes, from which it can be restored.
      if (from)
        changes.push({
          kind: 'deleted',
          id,
          scope: shown.note.scope,
          why: why === '' ? 'The note is out of date.' : why,
          edit: { place: shown.place, id, scope: shown.note.scope, from, to: { ...from, updatedAt: now, deletedAt: now } },
        });
    }
  }
  return { changes, refused, forged: verdicts.reduce((sum, { forged }) => sum + forged, 0) };
}

function shownAs(material: Material, id: string, scope: Note['scope'] | undefined): Material['notes'][number] | undefined {
  return material.notes.find(({ note }) => note.id === id && (scope === undefined || note.scope === scope));
}

function isOfLastWeek({ source, updatedAt }: Note): boolean {
  return source.kind === 'user' && Date.now() - Date.parse(updatedAt) < weekMs;
}

/** Returns the keys of changes that the user undid, by note and by quoted words. */
function undoneEntries(former: readonly DreamRun[]): ReadonlySet<string> {
  return new Set(
    former.flatMap(({ state, changes }) =>
      state === 'undone'
        ? changes.flatMap(({ edit }) => (edit.to?.evidence ?? []).map(({ entryId }) => `${edit.id.replace(/~proposed(?:-\d+)?$/, '')} ${entryId}`))
        : [],
    ),
  );
}
