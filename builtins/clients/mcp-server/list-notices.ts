// Notifies the MCP client that a list changed, at a limited rate. The client reloads the list itself.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Client, WireEvent } from 'agent-harness/client';

type List = 'Tools' | 'Prompts' | 'Resources';

const gatherMs = 250;
/** Changes to a chat that affect its resource: existence and name. */
const listedChanges = new Set<unknown>(['created', 'renamed', 'deleted', 'restored', 'forked']);

/** Starts the notifications and returns the function that ends them. */
export function noticeLists(server: Server, client: Client): () => void {
  const due = new Set<List>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function notify(): void {
    timer = undefined;
    const lists = [...due];
    due.clear();
    // A disconnected client misses the notification.
    for (const list of lists) server[`send${list.slice(0, -1) as 'Tool' | 'Prompt' | 'Resource'}ListChanged`]().catch(() => undefined);
  }

  const leave = client.on((event) => {
    for (const list of listsOf(event)) due.add(list);
    if (due.size > 0) timer ??= setTimeout(notify, gatherMs);
  });
  return () => {
    leave();
    clearTimeout(timer);
  };
}

function listsOf({ kind, ...event }: WireEvent): readonly List[] {
  if (kind === 'plugin_changed') return ['Tools', 'Prompts', 'Resources'];
  if (kind === 'integration_changed') return ['Tools'];
  if (kind === 'settings_changed') return ['Tools', 'Prompts'];
  return kind === 'chat_updated' && listedChanges.has(event['change']) ? ['Resources'] : [];
}
