// Loads the changes of a chat or a turn, and reloads them after events that may change them.
import { handle, type ReplyOf } from 'agent-harness/client';
import { useClient } from '#page/kit/hooks.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded, type Loaded } from '#page/kit/page/use-loaded.ts';

export type Changes = ReplyOf<'GET /api/changes'>;
export type ChangedFile = Changes['files'][number];

export function useChanges(chatId: string, turnId?: string): Loaded<Changes> {
  const client = useClient();
  const query = { chatId, ...(turnId === undefined ? {} : { turnId }) };
  const loaded = useLoaded(`${chatId} ${turnId ?? ''}`, (signal) => client.call('GET /api/changes', { query, signal }));
  useEvents(
    (event) => event.chatId === chatId && (event.kind === 'checkpoint_restored' || handle(event, { turn_end: () => true, tool_result: () => true }) === true),
    200,
    loaded.reload,
  );
  return loaded;
}
