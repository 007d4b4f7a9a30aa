// Stores the list of panels that plugins have registered.
import type { Client, ReplyOf } from 'agent-harness/client';
import { perObject } from '../kit/per-object.ts';
import { createListStore, type ListState, type ListStore } from './list-store.ts';

export type Panel = ReplyOf<'GET /api/ui/panels'>['panels'][number];
export type PanelsState = ListState<Panel>;

export const panelStoreOf = perObject('panels', (client: Client): ListStore<Panel> =>
  createListStore(client, async () => (await client.call('GET /api/ui/panels')).panels),
);
