// Defines the types of the persona routes' replies, and their labels. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { table } from '#page/kit/t.ts';

export type Persona = ReplyOf<'GET /api/persona'>;
export type Slice = Persona['slices'][number];
export type SliceName = Slice['name'];
export type Version = ReplyOf<'GET /api/persona/slices/:name/history'>['versions'][number];

export const sliceWords: Readonly<Record<SliceName, { readonly title: string; readonly about: string }>> = table({
  identity: { title: 'Identity', about: 'Who it is, and what it is for.' },
  voice: { title: 'Voice', about: 'How it sounds.' },
  stance: { title: 'Stance', about: 'What it holds to when it works.' },
  rails: { title: 'Rails', about: 'What it never does, whatever its character.' },
  living: { title: 'What it learned about you', about: 'One line for each instruction about its behaviour, with its source.' },
});

export const sourceWords: Readonly<Record<Slice['source'], string>> = table({
  model: 'written by a model',
  scaffold: 'written by rules',
  person: 'you wrote it',
  learned: 'learned',
});

const changeWords: Readonly<Record<Version['by'], string>> = table({
  bootstrap: 'made',
  skip: 'skipped',
  edit: 'edited',
  revert: 'brought back',
  reset: 'reset',
  learn: 'learned',
  outside: 'taken from the file',
  artifact: 'look changed',
});

/** What happened to a part. */
export const changeOf = ({ by }: Pick<Version, 'by'>): string => changeWords[by];
