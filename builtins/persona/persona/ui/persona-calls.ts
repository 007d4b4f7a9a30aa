// Defines the types and labels of the replies of the persona routes. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { table } from '#page/kit/t.ts';

export type Persona = ReplyOf<'GET /api/persona'>;
export type Slice = Persona['slices'][number];
export type SliceName = Slice['name'];
export type Version = ReplyOf<'GET /api/persona/slices/:name/history'>['versions'][number];

export const sliceWords: Readonly<Record<SliceName, { readonly title: string; readonly about: string }>> = table({
  identity: { title: 'Identity', about: 'Its identity and purpose.' },
  voice: { title: 'Voice', about: 'Its tone.' },
  stance: { title: 'Stance', about: 'Its principles at work.' },
  rails: { title: 'Rails', about: 'Its limits, whatever its tone.' },
  living: { title: 'Learned preferences', about: 'One line for each instruction about its behaviour, with its source.' },
});

export const sourceWords: Readonly<Record<Slice['source'], string>> = table({
  model: 'written by a model',
  scaffold: 'written by rules',
  person: 'written by you',
  learned: 'learned',
});

const changeWords: Readonly<Record<Version['by'], string>> = table({
  bootstrap: 'made',
  skip: 'skipped',
  edit: 'edited',
  revert: 'restored',
  reset: 'reset',
  learn: 'learned',
  outside: 'accepted from the file',
  artifact: 'theme changed',
});

/** Describes the origin of a version. */
export const changeOf = ({ by }: Pick<Version, 'by'>): string => changeWords[by];
