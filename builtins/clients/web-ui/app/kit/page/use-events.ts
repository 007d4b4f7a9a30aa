// Calls a function on stream events, once for several events within a short time.
import { useEffect, useEffectEvent } from 'react';
import type { WireEvent } from 'agent-harness/client';
import { useClient } from '../hooks.ts';

/** @param settleMs time to wait for further events before the call, in milliseconds */
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
