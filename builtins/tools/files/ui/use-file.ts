// Loads the bytes of a workspace file, and reloads them after each turn.
import { handle } from 'agent-harness/client';
import { useClient } from '#page/kit/hooks.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded, type Loaded } from '#page/kit/page/use-loaded.ts';

export function useFile(chatId: string, path: string): Loaded<Uint8Array<ArrayBuffer>> {
  const client = useClient();
  const loaded = useLoaded(`${chatId} ${path}`, async () => {
    const blob = await client.bytes(`/api/workspace/file?${new URLSearchParams({ chatId, path }).toString()}`);
    return new Uint8Array(await blob.arrayBuffer());
  });
  useEvents((event) => event.chatId === chatId && handle(event, { turn_end: () => true }) === true, 200, loaded.reload);
  return loaded;
}
