// Describes the speech engine, and where it sends the text. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { t } from '#page/kit/t.ts';

type Engines = ReplyOf<'GET /api/audio/engines'>['speech'];

export function speechEngineText({ inUse, engines }: Engines): string {
  const found = engines.find(({ name }) => name === inUse);
  if (!found) return [t('No engine can speak here.'), ...engines.flatMap(({ reason }) => reason ?? [])].join(' ');
  return t('{title} speaks. {destination}', {
    title: found.title,
    destination:
      found.place === 'here'
        ? t('The text stays on the machine of the server.')
        : t('The text is sent to {goesTo}.', { goesTo: found.goesTo ?? t('a provider') }),
  });
}
