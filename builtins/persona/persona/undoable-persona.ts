// Restores the character when a turn is undone: the content, without author and time.
import type { Undoable } from 'agent-harness/builtins/turn/checkpoints';
import { isRecord, jsonOf, stableJson } from '#lib/values';
import type { PersonaProfile, SliceName, SliceSource } from './contract.ts';
import type { KeptSlice, Revision } from './store/revision.ts';
import type { NextRevision } from './store/revisions.ts';

interface Character {
  readonly profile?: PersonaProfile;
  readonly slices: Readonly<Partial<Record<SliceName, { readonly text: string; readonly source: SliceSource }>>>;
  readonly artifacts: Readonly<Record<string, unknown>>;
}

/** Returns the state of the persona; `null` if there is none. */
export function characterOf({ profile, slices, artifacts }: Revision): string | null {
  if (profile === undefined && Object.keys(slices).length === 0 && Object.keys(artifacts).length === 0) return null;
  const said = Object.fromEntries(Object.entries(slices).map(([name, { text, source }]) => [name, { text, source }]));
  return stableJson({ ...(profile ? { profile } : {}), slices: said, artifacts });
}

/** Restores a state; a part whose text is unchanged keeps its own revision. */
export function withCharacter(text: string | null, current: Revision, stamp: Pick<Revision, 'revision' | 'at'>): NextRevision {
  const said = { by: 'revert', why: 'a turn was undone' } as const;
  const read = text === null ? undefined : jsonOf(text);
  const { profile, slices, artifacts } = (isRecord(read) ? read : { slices: {}, artifacts: {} }) as unknown as Character;
  const kept = Object.entries(slices).map(([name, slice]): [string, KeptSlice] => {
    const now = current.slices[name as SliceName];
    return [name, now?.text === slice.text && now.source === slice.source ? now : { ...slice, ...said, ...stamp }];
  });
  return { ...said, bootstrap: current.bootstrap, ...(profile ? { profile } : {}), slices: Object.fromEntries(kept), artifacts };
}

export interface CharacterStore {
  character(): Promise<string | null>;
  /** Sets the state; resolves with `false` if it has changed in the meantime. */
  setCharacter(change: { readonly from: string | null; readonly to: string | null }): Promise<boolean>;
}

export const characterKey = 'character';

/** @param open returns the accessors; `undefined` if there has never been a persona */
export function undoablePersona(open: () => Promise<CharacterStore | undefined>): Undoable {
  return {
    name: 'persona',
    title: 'the persona',
    label: () => 'the persona',
    async read() {
      return (await (await open())?.character()) ?? null;
    },
    async restore(_, change) {
      const services = await open();
      return services ? services.setCharacter(change) : change.from === null && change.to === null;
    },
  };
}
