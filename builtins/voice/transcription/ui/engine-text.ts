// Describes the transcription engine, and where it sends the audio. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { t } from '#page/kit/t.ts';

export type Engines = ReplyOf<'GET /api/audio/engines'>['transcription'];

export function engineText({ inUse, engines }: Engines): string {
  const found = engines.find(({ name }) => name === inUse);
  if (!found) return [t('No engine can transcribe here.'), ...engines.flatMap(({ reason }) => reason ?? [])].join(' ');
  if (found.place === 'here') return t('{title} transcribes. The audio stays on the machine of the server.', { title: found.title });
  return t('{title} transcribes. The audio is sent to {goesTo}.', { title: found.title, goesTo: found.goesTo ?? t('a provider') });
}
