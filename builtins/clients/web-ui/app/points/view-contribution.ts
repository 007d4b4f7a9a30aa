// Converts the views of plugins to a contribution: pages, and tabs of the pane beside a chat.
import type { OpenChat } from 'agent-harness/client';
import { createElement, useMemo } from 'react';
import { useClient, useStore } from '../kit/hooks.ts';
import { iconOf } from '../kit/icons.tsx';
import { lazyPart } from '../kit/lazy-part.ts';
import type { Contribution, PaneTab } from './contribution.ts';
import { usePermission } from './use-permission.ts';
import { viewStoreOf, type ViewRow } from './view-store.ts';

/** Loads the page that all plugin views share; the address determines the view. */
const ViewPage = lazyPart(async () => (await import('./view-page.tsx')).ViewPage);
const ViewPanel = lazyPart(async () => (await import('../kit/view/view-panel.tsx')).ViewPanel);
/** Permission to read the list of views, which contains only views that the caller may read. */
const permission = 'server.read';

/** Returns the views as a contribution, which changes only when the list of views changes. */
export function useViewContribution(): Contribution {
  const { rows } = useStore(viewStoreOf(useClient()));
  return useMemo(() => contributionOf(rows), [rows]);
}

/** Returns whether the list of views has been loaded; true if the page may not read it. */
export function useViewsKnown(): boolean {
  const { isLoaded } = useStore(viewStoreOf(useClient()));
  return !usePermission(permission) || isLoaded;
}

function contributionOf(rows: readonly ViewRow[]): Contribution {
  return {
    pages: rows
      .filter(({ place }) => place !== 'pane')
      .map(({ name, title, description, icon, place, tabOf }) => ({
        ...{ page: 'view', id: name, title, icon: iconOf(icon), order: 20, isForGuests: true, permission, Page: ViewPage },
        ...(description === undefined ? {} : { words: description }),
        // The view still has an address, for links.
        ...(place === 'none' || rows.some((one) => one.name === tabOf) ? { place: 'none' as const } : {}),
      })),
    paneTabs: rows.filter(({ place }) => place === 'pane').map(tabOf),
  };
}

const tabs = new WeakMap<ViewRow, PaneTab>();

/** Returns the tab of a view. A new component function would cause a remount, so each view keeps its tab for its lifetime. */
function tabOf(row: ViewRow): PaneTab {
  const { name, title, icon, parameters, changesOn = [] } = row;
  const found = tabs.get(row) ?? {
    ...{ tab: `view-${name}`, title, icon: iconOf(icon), order: 50, permission },
    View: ({ chat }: { readonly chat: OpenChat }) =>
      createElement('div', { className: 'panel-slot', 'data-slot': 'pane' }, createElement(ViewPanel, { name, changesOn, parameters, chatId: chat.chatId })),
  };
  tabs.set(row, found);
  return found;
}
