// Who speaks, and where the text goes.
import type { ReplyOf } from 'agent-harness/client';

type Engines = ReplyOf<'GET /api/audio/engines'>['speech'];

/** Pure. */
export function engineWords({ inUse, engines }: Engines): string {
  const found = engines.find(({ name }) => name === inUse);
  if (!found) return ['Nothing here can speak.', ...engines.flatMap(({ reason }) => reason ?? [])].join(' ');
  return `${found.title} speaks. ${found.place === 'here' ? 'The text stays on the machine of the server.' : `The text goes to ${found.goesTo ?? 'a provider'}.`}`;
}
