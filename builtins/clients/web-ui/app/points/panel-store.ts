// Stores the list of panels that plugins have registered.
import type { Client, ReplyOf } from 'agent-harness/client';
import { createListStore, type ListState, type ListStore } from './list-store.ts';

export type Panel = ReplyOf<'GET /api/ui/panels'>['panels'][number];
export type PanelsState = ListState<Panel>;

/** Stored on the client object, so that it has the same lifetime. */
const held = Symbol('panels');

export function panelStoreOf(client: Client): ListStore<Panel> {
  const holder = client as { [held]?: ListStore<Panel> };
  return (holder[held] ??= createListStore(client, async () => (await client.call('GET /api/ui/panels')).panels));
}
