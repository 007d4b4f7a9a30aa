// Contributes the persona to the page: the setup prompt, the persona page, and a switch per chat.
import { UserRoundPen, VenetianMask } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';
import { FirstRunGate } from './first-run-gate.tsx';
import { t } from '#page/kit/t.ts';
import { quoted } from '#page/kit/short-texts.ts';

export const contribution: Contribution = {
  plugin: 'persona',
  pages: [
    {
      page: 'persona',
      title: 'Persona',
      words: 'personality character tone style name colours',
      icon: VenetianMask,
      order: 25,
      Page: lazyPart(async () => (await import('./persona-page.tsx')).PersonaPage),
    },
  ],
  parts: [{ slot: 'over-composer', title: 'Personality setup', order: 80, Part: FirstRunGate }],
  chatActions: [
    {
      icon: UserRoundPen,
      title: 'Persona on or off here',
      short: 'Persona',
      long: 'Switch the persona on or off in this chat',
      hint: 'switches it on or off in this chat',
      words: ['character', 'voice'],
      async run(client, chatId) {
        const { label, chat } = await client.call('GET /api/persona', { query: { chatId } });
        const { off } = await client.call('PUT /api/persona/chat', { body: { chatId, off: !chat.off } });
        const who = label === '' ? t('The persona') : quoted(label);
        return { text: off ? t('{name} is off in this chat. Other chats still use it.', { name: who }) : t('{name} is on in this chat again.', { name: who }) };
      },
    },
  ],
};
