// Provides the current plan of a chat.
import type { Client } from 'agent-harness/client';
import { useEffect, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { noPlan, readPlan, type Plan } from './plan-model.ts';

export function usePlan(chatId: string): Plan {
  const client = useClient();
  const [plan, setPlan] = useState(noPlan);
  useEffect(() => watchPlan(client, chatId, setPlan), [client, chatId]);
  return plan;
}

/** Loads the plan immediately and after each interruption of the stream, and applies its events. Returns the unsubscribe function. */
function watchPlan(client: Client, chatId: string, set: (plan: Plan) => void): () => void {
  const left = new AbortController();
  let isNewer = false;
  let stream = client.connection.get().stream;

  function read(): void {
    isNewer = false;
    client.call('GET /api/plan', { query: { chatId }, signal: left.signal }).then(
      ({ items, turnId }) => {
        // An event that was received in the meantime is newer than the reply.
        if (!left.signal.aborted && !isNewer) set(readPlan(items, turnId));
      },
      () => undefined, // Keeps the current plan.
    );
  }

  const leaveEvents = client.on((event) => {
    if (event.kind !== 'plan_updated' || event.chatId !== chatId) return;
    isNewer = true;
    set(readPlan(event['items'], event.turnId));
  });
  const leaveConnection = client.connection.subscribe(() => {
    const now = client.connection.get().stream;
    if (now === 'open' && stream !== 'open') read();
    stream = now;
  });
  read();
  return () => {
    left.abort();
    leaveEvents();
    leaveConnection();
  };
}
