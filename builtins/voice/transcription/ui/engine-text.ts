// Who turns the sound into text, and where the sound goes.
import type { ReplyOf } from 'agent-harness/client';

export type Engines = ReplyOf<'GET /api/audio/engines'>['transcription'];

/** Pure. */
export function engineText({ inUse, engines }: Engines): string {
  const found = engines.find(({ name }) => name === inUse);
  if (!found) return ['Nothing here can turn speech into text.', ...engines.flatMap(({ reason }) => reason ?? [])].join(' ');
  if (found.place === 'here') return `${found.title} writes it down. The sound stays on the machine of the server.`;
  return `${found.title} writes it down. The sound goes to ${found.goesTo ?? 'a provider'}.`;
}
