// Links the notes that the model created in a turn. Runs after the turn; the links of several turns are created one after the other.
import { createSerialQueue } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { TurnEnd } from 'agent-harness/plugins/agent';
import type { Models } from 'agent-harness/plugins/models';
import type { ToolContext } from 'agent-harness/plugins/tools';
import type { Note, NotePlace } from '../contract.ts';
import type { NoteStore } from './note-store.ts';

export interface FreshNotes {
  add(context: Pick<ToolContext, 'turnId'>, note: Note): void;
  /** Starts the linking in the background, if it is enabled. */
  turnEnded(place: NotePlace, end: Pick<TurnEnd, 'turnId' | 'reason'>): void;
  /** Resolves when no linking is running. */
  close(): Promise<void>;
}

export interface FreshNoteParts {
  readonly store: NoteStore;
  readonly models: Models;
  /** Live values of the settings. */
  readonly config: { readonly isAutolinkOn: boolean; readonly autolinkModel: string };
  readonly signal: AbortSignal;
  warn(message: string): void;
}

export function createFreshNotes({ store, models, config, signal, warn }: FreshNoteParts): FreshNotes {
  const byTurn = new Map<string, Note[]>();
  const queue = createSerialQueue();

  async function link(place: NotePlace, turnId: string, notes: readonly Note[]): Promise<void> {
    if (signal.aborted) return;
    const { linkNewNotes } = await import('./autolink.ts');
    await linkNewNotes({ store, models, model: () => config.autolinkModel }, place, turnId, notes, signal);
  }

  return {
    add({ turnId }, note) {
      if (config.isAutolinkOn) byTurn.set(turnId, [...(byTurn.get(turnId) ?? []), note]);
    },
    turnEnded(place, { turnId, reason }) {
      const notes = byTurn.get(turnId);
      byTurn.delete(turnId);
      if (!notes || reason !== 'done' || !config.isAutolinkOn) return;
      queue.run(() => link(place, turnId, notes)).catch((fault: unknown) => (signal.aborted ? undefined : warn(`notes were not linked: ${messageOf(fault)}`)));
    },
    close: queue.idle,
  };
}
