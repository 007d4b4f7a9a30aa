// Reads a team's notes on the control plane, including those of workspaces that are not on this machine.
import type { KernelError, Services } from 'agent-harness/kernel';
import { isRecord } from '#lib/values';
import { randomUUID } from 'node:crypto';
import type { NoteReading, NoteRow } from 'agent-harness/builtins/control-plane/plane-notes';
import type { SyncTarget } from 'agent-harness/builtins/account/notes-sync';

export interface SharedNotesParts {
  readonly services: Pick<Services, 'controlPlane' | 'license' | 'notesSync'>;
  readonly target: SyncTarget;
  readonly makeError: (reason: 'CHANGED') => KernelError;
}

export interface SharedNote extends Pick<NoteRow, 'key' | 'value' | 'updatedAt'> {
  /** E-mail address of the author; omitted if the author left the organisation. */
  readonly by?: string;
  readonly isOwn: boolean;
}

/** The notes of a workspace, newest first. */
export interface SharedSet {
  readonly revision: number;
  readonly notes: readonly SharedNote[];
  /** Whether there are more notes. */
  readonly isCut: boolean;
}

export interface SharedNotes {
  /** Returns the workspaces with notes, and whether this user may delete notes there. */
  sets(signal: AbortSignal): Promise<{ readonly sets: readonly { readonly workspace: string; readonly notes: number }[]; readonly mayDelete: boolean }>;
  read(workspace: string, signal: AbortSignal): Promise<SharedSet>;
  /** Deletes a note. Rejects with `CHANGED` if it was changed after that revision. */
  remove(note: { readonly workspace: string; readonly key: string; readonly revision: number }, signal: AbortSignal): Promise<void>;
}

/** Maximum number of pages that are read from the control plane. */
const maxPages = 10;

export function createSharedNotes({ services: { controlPlane, license, notesSync }, target, makeError }: SharedNotesParts): SharedNotes {
  async function ask<T>(path: string, signal: AbortSignal): Promise<T> {
    const { body } = await controlPlane.request({ method: 'GET', path, signal });
    if (!isRecord(body)) throw new TypeError('The response of the control plane is not valid.');
    return body as T;
  }
  const addressOf = (fields: Readonly<Record<string, string>>): string => `${target.path}?${new URLSearchParams(fields).toString()}`;

  /** Applies the removal locally if the workspace is on this machine. */
  async function pull(workspace: string, signal: AbortSignal): Promise<void> {
    const set = (await notesSync.state()).find((one) => one.target === target.name && one.workspace === workspace);
    if (set?.workspaceRoot === undefined) return;
    await notesSync.run(target, { workspace, set: { scope: 'workspace', workspaceRoot: set.workspaceRoot } }, { direction: 'pull', signal });
  }

  return {
    async sets(signal) {
      const [{ sets }, { organisation }] = await Promise.all([
        ask<{ sets: { workspace: string; notes: number }[] }>(`${target.path}/sets`, signal),
        ask<{ organisation: { role: string } | null }>('/api/account/me', signal),
      ]);
      return { sets: sets.filter(({ notes }) => notes > 0), mayDelete: organisation !== null && organisation.role !== 'viewer' };
    },
    async read(workspace, signal) {
      const own = license.account()?.email;
      const found = new Map<string, NoteRow>();
      let isCut = true;
      let revision = 0;
      for (let page = 0; page < maxPages && isCut; page++) {
        const reading = await ask<NoteReading>(addressOf({ workspace, ...(page === 0 ? {} : { since: String(revision), whole: 'true' }) }), signal);
        for (const note of reading.notes) found.set(note.key, note);
        revision = reading.revision;
        isCut = reading.more === true;
      }
      const notes = [...found.values()]
        .toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt))
        .map(({ key, value, updatedAt, by }) => ({ key, value, updatedAt, ...(by ? { by: by.email } : {}), isOwn: by !== undefined && by.email === own }));
      return { revision, notes, isCut };
    },
    async remove({ workspace, key, revision: base }, signal) {
      // Uses a temporary client id for one change, because the workspace's own copy may be outdated.
      const change = { clientId: `page-${randomUUID()}`, mutationId: 1, base, upserts: [], tombstones: [{ key, deletedAt: new Date().toISOString() }] };
      const { status } = await controlPlane.request({ method: 'PUT', path: addressOf({ workspace }), body: change, signal });
      if (status === 409) throw makeError('CHANGED');
      await pull(workspace, signal);
    },
  };
}
