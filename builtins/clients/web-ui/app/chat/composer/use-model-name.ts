// Loads the name of the model that the last turn used, otherwise the configured one.
import { handle } from 'agent-harness/client';
import { useEffect, useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { useSurelyMay } from '../../points/use-may.ts';

export function useModelName(chatId: string): string | undefined {
  const client = useClient();
  const [known, setKnown] = useState<string>();
  const mayRead = useSurelyMay('settings.read');
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<void> => {
      if (!mayRead) return;
      try {
        const { provider } = await client.call('GET /api/settings');
        if (!isOver) setKnown(provider.model === '' ? undefined : provider.model);
      } catch {
        // Without a name, the button stays empty; the connection indicator shows the reason.
      }
    };
    void read();
    const leave = client.on((event) => {
      if (event.kind === 'settings_changed') void read();
      if (event.chatId === chatId) handle(event, { turn_start: ({ model }) => (model === undefined ? undefined : setKnown(model)) });
    });
    return () => {
      isOver = true;
      leave();
    };
  }, [client, chatId, mayRead]);
  return known;
}
