// Contributes the agent's browser to the page: a tab beside the chat, which opens when the agent opens a page.
import { handle, type OpenChat } from 'agent-harness/client';
import { Globe } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'browser',
  paneTabs: [
    {
      ...{ tab: 'browser', title: 'Browser', icon: Globe, order: 40, permission: 'chats.write' },
      count: (_, chat) => Promise.resolve(openedIn(chat)),
      isChangedBy: (event) => handle(event, { tool_result: () => true }) === true,
      View: lazyPart(async () => (await import('./browser-pane.tsx')).BrowserPane),
    },
  ],
};

/** Counts the pages that the running turn opened, from its events, without a request to the server. */
function openedIn(chat: OpenChat): number {
  const { entries, running } = chat.state.get();
  if (running === undefined) return 0;
  return entries.filter((entry) => entry.kind === 'tool' && entry.name === 'browser_open' && entry.state === 'ok' && entry.turnId === running.turnId).length;
}
