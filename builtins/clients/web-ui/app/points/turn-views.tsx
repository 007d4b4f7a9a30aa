// Renders the views that plugins add to a finished turn.
import { Suspense, use } from 'react';
import { ChatContext } from '../kit/hooks.ts';
import { HostOnly } from '../kit/host-only.tsx';
import { useContributions } from './use-contributions.ts';

export function TurnViews({ turnId }: { readonly turnId: string }) {
  const chat = use(ChatContext);
  const views = useContributions().flatMap(({ turnViews = [] }) => turnViews);
  if (!chat?.state.get().entries.some((entry) => entry.kind === 'tool' && entry.turnId === turnId)) return null;
  return (
    <HostOnly>
      <Suspense>
        {views.map(({ title, View }) => (
          <View key={title} chatId={chat.chatId} turnId={turnId} />
        ))}
      </Suspense>
    </HostOnly>
  );
}
