// The view of a contribution, read from the server, and again when it says something else.
import type { View } from 'agent-harness/view';
import { useState } from 'react';
import { useClient } from '../hooks.ts';
import { useEvents } from '../page/use-events.ts';
import { useLoaded } from '../page/use-loaded.ts';
import { WhenLoaded } from '../page/when-loaded.tsx';
import { t } from '../t.ts';
import { ViewCard } from './view-card.tsx';

/** Milliseconds in which several changes are one. */
const settleMs = 200;

interface Props {
  readonly name: string;
  readonly changesOn?: readonly string[];
  readonly chatId?: string | undefined;
}

export function ViewPanel({ name, changesOn = [], chatId }: Props) {
  const client = useClient();
  const key = `${name} ${chatId ?? ''}`;
  /** What an action answered is newer than what was read before it. */
  const [newer, setNewer] = useState<{ readonly key: string; readonly over: unknown; readonly view: View }>();
  const loaded = useLoaded(key, (signal) =>
    client.call('GET /api/views/:name', { params: { name }, signal, ...(chatId === undefined ? {} : { query: { chatId } }) }),
  );
  useEvents(
    (event) => {
      if (chatId !== undefined && event.chatId !== undefined && event.chatId !== chatId) return false;
      return changesOn.includes(event.kind) || (event.kind === 'view_changed' && event['name'] === name);
    },
    settleMs,
    loaded.reload,
  );
  return (
    <WhenLoaded loaded={loaded} what={t('view')}>
      {(value) => (
        <ViewCard
          isUntitled
          view={newer && newer.key === key && newer.over === value ? newer.view : value}
          id={`view:${key}`}
          chatId={chatId}
          onView={(view) => setNewer({ key, over: value, view })}
        />
      )}
    </WhenLoaded>
  );
}
