// Renders the context usage in the composer menu; a click opens the details.
import type { OpenChat } from 'agent-harness/client';
import { CircleGauge } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { use } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { hostOnly } from '#page/kit/host-only.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { AfterMenuContext } from '#page/points/after-menu.ts';
import { percentOf, shownContextOf } from './context-figures.ts';
import { t } from '#page/kit/t.ts';

export function ContextItem({ chat }: { readonly chat?: OpenChat | undefined }) {
  const client = useClient();
  const afterMenu = use(AfterMenuContext);
  const chatId = chat?.chatId;
  const { value } = useLoaded(chatId, (signal) => client.call('GET /api/context', { query: chatId === undefined ? {} : { chatId }, signal }));
  if (chatId === undefined) return null;
  return (
    <DropdownMenu.Item {...hostOnly} className="more-menu-item" onSelect={() => afterMenu(() => shownContextOf(client).set({ chatId }))}>
      <CircleGauge size={16} aria-hidden />
      <span>{t('Context used')}</span>
      <span className="more-menu-aside">{value ? `${percentOf(value)} %` : ''}</span>
    </DropdownMenu.Item>
  );
}
