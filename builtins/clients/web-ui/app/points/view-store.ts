// Stores the list of views that the server's plugins contribute.
import type { Client, ReplyOf } from 'agent-harness/client';
import { perObject } from '../kit/per-object.ts';
import { createListStore, type ListStore } from './list-store.ts';

export type ViewRow = ReplyOf<'GET /api/views'>['views'][number];

export const viewStoreOf = perObject('views', (client: Client): ListStore<ViewRow> =>
  createListStore(client, async () => (await client.call('GET /api/views')).views),
);
