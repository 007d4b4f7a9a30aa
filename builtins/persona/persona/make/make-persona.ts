// Makes all of a persona out of a sentence: the profile, the slices, and what plugins add. Nothing is put in force here.
import type { BootstrapStage, MadeSlice, PersonaProfile, SliceSource } from '../contract.ts';
import type { PersonaParts } from '../persona-parts.ts';
import { madeSlices } from '../kept/slices.ts';
import { profileByRules } from './profile.ts';
import { scaffoldSlice } from './scaffold.ts';

export interface MadePersona {
  readonly profile: PersonaProfile;
  readonly slices: Readonly<Record<MadeSlice, { readonly text: string; readonly source: SliceSource }>>;
  readonly artifacts: Readonly<Record<string, unknown>>;
}

/** What a run says of itself. Contract: never throws. */
export type Tell = (progress: { readonly stage: BootstrapStage; readonly artifact?: string; readonly preview?: string }) => void;

/** Rejects only when the signal is aborted. */
export async function makePersona(parts: PersonaParts, input: string, tell: Tell, signal: AbortSignal): Promise<MadePersona> {
  tell({ stage: 'profile', artifact: 'profile' });
  const profile = profileByRules(input);
  tell({ stage: 'soul' });
  const slices = Object.fromEntries(
    madeSlices.map((name) => [name, { text: scaffoldSlice(name, profile), source: 'scaffold' as const }]),
  ) as MadePersona['slices'];
  tell({ stage: 'artifacts' });
  const artifacts: Record<string, unknown> = {};
  for (const artifact of parts.artifacts.list()) {
    const checked = artifact.check(artifact.scaffold(profile, input));
    if (typeof checked !== 'string') artifacts[artifact.name] = checked.value;
  }
  signal.throwIfAborted();
  return { profile, slices, artifacts };
}
