// Selects the notes to upload, splits them into batches, and lists the refused notes. Pure.
import { exchangeLimits } from '#lib/copies';
import { hasSecret } from '#lib/secrets';
import type { NoteTombstone, NoteUpsert } from 'agent-harness/builtins/control-plane/plane-notes';
import type { TravellingNote } from 'agent-harness/builtins/tools/memory';
import type { RefusedNote } from './contract.ts';
import { isSameVersion, versionOf, type KnownVersion } from './set-state.ts';

export interface Portion {
  readonly upserts: readonly NoteUpsert[];
  readonly tombstones: readonly NoteTombstone[];
}

/** Maximum number of entries and characters of a batch; leaves room for escape sequences in the JSON. */
const portionEntries = exchangeLimits.entries / 2;
const portionSize = exchangeLimits.bytes / 4;

/** Selects the notes that differ from the control plane. @param known versions on the control plane */
export function selectOutgoing(
  notes: readonly TravellingNote[],
  known: ReadonlyMap<string, KnownVersion>,
): { readonly parts: readonly Portion[]; readonly refused: readonly RefusedNote[] } {
  const refused: RefusedNote[] = [];
  const parts: { upserts: NoteUpsert[]; tombstones: NoteTombstone[] }[] = [];
  let size = Infinity;
  for (const note of notes) {
    const before = known.get(note.id);
    // A note that was never uploaded needs no tombstone.
    if (isSameVersion(before, versionOf(note)) || (note.deletedAt !== undefined && !before)) continue;
    const why = note.deletedAt === undefined ? refusalReason(note) : undefined;
    if (why !== undefined) {
      refused.push({ id: note.id, why });
      continue;
    }
    const last = parts.at(-1);
    const isFull = !last || size > portionSize || last.upserts.length + last.tombstones.length >= portionEntries;
    const part = isFull ? { upserts: [], tombstones: [] } : last;
    if (isFull) {
      parts.push(part);
      size = 0;
    }
    size += note.value.length + note.id.length + 200;
    if (note.deletedAt !== undefined) part.tombstones.push({ key: note.id, deletedAt: note.deletedAt });
    else part.upserts.push(upsertOf(note));
  }
  return { parts, refused };
}

function upsertOf({ id, value, updatedAt, source, confidence, links }: TravellingNote): NoteUpsert {
  return { key: id, value, updatedAt, source, ...(confidence === undefined ? {} : { confidence }), ...(links && links.length > 0 ? { links } : {}) };
}

function refusalReason({ id, value }: TravellingNote): string | undefined {
  if (hasSecret(`${id} ${value}`)) return 'The note may contain a key, token or password, so it is not uploaded.';
  if (value.length > exchangeLimits.value || id.length > exchangeLimits.key) return 'The note is too long to upload.';
  return undefined;
}
