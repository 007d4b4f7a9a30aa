// Calls back on events of the stream, once for several of one moment.
import { useEffect, useEffectEvent } from 'react';
import type { WireEvent } from 'agent-harness/client';
import { useClient } from '../hooks.ts';

/** @param settleMs how long it waits for further events before it calls */
export function useEvents(isWanted: (event: WireEvent) => boolean, settleMs: number, react: () => void): void {
  const client = useClient();
  const wants = useEffectEvent(isWanted);
  const reactNow = useEffectEvent(react);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = client.on((event) => {
      if (!wants(event)) return;
      clearTimeout(timer);
      timer = setTimeout(() => reactNow(), settleMs);
    });
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [client, settleMs]);
}
