// Tells another program that a list is another one now. It asks for the list itself, so once in a while is enough.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Client, WireEvent } from 'agent-harness/client';

type List = 'Tools' | 'Prompts' | 'Resources';

const gatherMs = 250;
/** What of a chat its resource tells: that it is there, and its name. */
const listedChanges = new Set<unknown>(['created', 'renamed', 'deleted', 'restored', 'forked']);

/** The answer ends it. */
export function noticeLists(server: Server, client: Client): () => void {
  const due = new Set<List>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    timer = undefined;
    const lists = [...due];
    due.clear();
    // Who is gone misses it.
    for (const list of lists) server[`send${list.slice(0, -1) as 'Tool' | 'Prompt' | 'Resource'}ListChanged`]().catch(() => undefined);
  }

  const leave = client.on((event) => {
    for (const list of listsOf(event)) due.add(list);
    if (due.size > 0) timer ??= setTimeout(tell, gatherMs);
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
