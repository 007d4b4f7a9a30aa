// The panels that plugins registered.
import type { Client, ReplyOf } from 'agent-harness/client';
import { createListStore, type ListState, type ListStore } from './list-store.ts';

export type Panel = ReplyOf<'GET /api/ui/panels'>['panels'][number];
export type PanelsState = ListState<Panel>;

/** Kept at the client itself, so that it lives exactly as long. */
const held = Symbol('panels');

export function panelStoreOf(client: Client): ListStore<Panel> {
  const holder = client as { [held]?: ListStore<Panel> };
  return (holder[held] ??= createListStore(client, async () => (await client.call('GET /api/ui/panels')).panels));
}
