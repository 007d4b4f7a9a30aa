// Defines a revision of the persona. A revision is a single document, so that it is stored completely or not at all.
import { isRecord } from '#lib/values';
import type { PersonaChange, PersonaProfile, SliceName, SliceSource } from '../contract.ts';
import { isSliceName } from './slices.ts';

export interface KeptSlice {
  readonly text: string;
  readonly source: SliceSource;
  /** Revision in which the text was written. */
  readonly revision: number;
  readonly at: string;
  readonly by: PersonaChange;
  readonly why: string;
}

export interface Revision {
  readonly revision: number;
  readonly at: string;
  readonly by: PersonaChange;
  /** Explanation for users. */
  readonly why: string;
  readonly bootstrap: 'pending' | 'done' | 'skipped';
  readonly profile?: PersonaProfile;
  readonly slices: Readonly<Partial<Record<SliceName, KeptSlice>>>;
  readonly artifacts: Readonly<Record<string, unknown>>;
}

/** The state before the first persona was created. */
export const noRevision: Revision = { revision: 0, at: '', by: 'reset', why: '', bootstrap: 'pending', slices: {}, artifacts: {} };

export function isRevision(value: unknown): value is Revision {
  if (!isRecord(value)) return false;
  const { revision, at, by, why, bootstrap, profile, slices, artifacts } = value;
  return (
    Number.isSafeInteger(revision) &&
    [at, by, why].every((one) => typeof one === 'string') &&
    ['pending', 'done', 'skipped'].includes(String(bootstrap)) &&
    (profile === undefined || isRecord(profile)) &&
    isRecord(slices) &&
    Object.entries(slices).every(([name, slice]) => isSliceName(name) && isKeptSlice(slice)) &&
    isRecord(artifacts)
  );
}

function isKeptSlice(value: unknown): value is KeptSlice {
  if (!isRecord(value)) return false;
  return Number.isSafeInteger(value['revision']) && ['text', 'source', 'at', 'by', 'why'].every((field) => typeof value[field] === 'string');
}
