// Stores the list of views that the server's plugins contribute.
import type { Client, ReplyOf } from 'agent-harness/client';
import { createListStore, type ListStore } from './list-store.ts';

export type ViewRow = ReplyOf<'GET /api/views'>['views'][number];

/** Stored on the client object, so that it has the same lifetime. */
const held = Symbol('views');

export function viewStoreOf(client: Client): ListStore<ViewRow> {
  const holder = client as { [held]?: ListStore<ViewRow> };
  return (holder[held] ??= createListStore(client, async () => (await client.call('GET /api/views')).views));
}
