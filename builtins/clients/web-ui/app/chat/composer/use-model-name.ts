// Returns the name of the model: that of the last turn, otherwise the configured one.
import { handle } from 'agent-harness/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { useProvider } from '../../points/use-provider.ts';

export function useModelName(chatId: string): string | undefined {
  const client = useClient();
  const provider = useProvider();
  const configured = provider?.route === 'demo' ? undefined : provider?.model;
  const [last, setLast] = useState<{ readonly model: string; readonly chatId: string; readonly provider: typeof provider }>();
  const take = useEffectEvent((model: string) => setLast({ model, chatId, provider }));
  useEffect(
    () =>
      client.on((event) => {
        if (event.chatId === chatId) handle(event, { turn_start: ({ model }) => (model === undefined ? undefined : take(model)) });
      }),
    [client, chatId],
  );
  // After a change of the provider, the configured model is newer than the last turn.
  return last?.chatId === chatId && last.provider === provider ? last.model : configured;
}
