// The views that plugins added to the server, as the page lists them.
import type { Client, ReplyOf } from 'agent-harness/client';
import { createListStore, type ListStore } from './list-store.ts';

export type ViewRow = ReplyOf<'GET /api/views'>['views'][number];

/** Kept at the client itself, so that it lives exactly as long. */
const held = Symbol('views');

export function viewStoreOf(client: Client): ListStore<ViewRow> {
  const holder = client as { [held]?: ListStore<ViewRow> };
  return (holder[held] ??= createListStore(client, async () => (await client.call('GET /api/views')).views));
}
