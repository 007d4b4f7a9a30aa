// Counts the items in each tab of the pane.
import type { OpenChat } from 'agent-harness/client';
import { handle } from 'agent-harness/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { useClient, useStore } from '../../kit/hooks.ts';
import { useEvents } from '../../kit/page/use-events.ts';
import type { PaneTab } from '../../points/contribution.ts';

export type PaneCounts = Readonly<Record<string, number>>;
const nothing: PaneCounts = {};

export function usePaneCounts(chat: OpenChat, tabs: readonly PaneTab[]): PaneCounts {
  const client = useClient();
  const { isLoaded } = useStore(chat.state);
  const [known, setKnown] = useState<{ readonly chatId: string; readonly counts: PaneCounts }>();
  const counts = known?.chatId === chat.chatId ? known.counts : nothing;
  const counted = tabs.filter(({ count }) => count !== undefined);
  const names = counted.map(({ tab }) => tab).join(' ');

  async function read(): Promise<PaneCounts> {
    const all = await Promise.all(counted.map(async ({ tab, count }) => [tab, await count?.(client, chat).catch(() => counts[tab])] as const));
    return Object.fromEntries(all.flatMap(([tab, count]) => (count === undefined ? [] : [[tab, count] as const])));
  }
  const readNow = useEffectEvent(read);
  useEffect(() => {
    if (!isLoaded || names === '') return;
    let isOver = false;
    void readNow().then((next) => {
      if (!isOver) setKnown({ chatId: chat.chatId, counts: next });
    });
    return () => {
      isOver = true;
    };
  }, [isLoaded, names, chat]);

  async function lookAgain(): Promise<void> {
    setKnown({ chatId: chat.chatId, counts: await read() });
  }
  useEvents(
    (event) =>
      event.chatId === chat.chatId &&
      (counted.some(({ isChangedBy }) => isChangedBy?.(event)) || handle(event, { turn_end: () => true, tool_result: () => true }) === true),
    150,
    () => void lookAgain(),
  );
  return counts;
}
