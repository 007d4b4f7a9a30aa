// Converts the panels of plugins to a contribution: pages, components for slots, and renderers for results and lines.
import type { Entry } from 'agent-harness/client';
import { useMemo, type ReactNode } from 'react';
import { iconOf } from '../kit/icons.tsx';
import type { Contribution, NoteView, PageLink, PaneTab, Part, SlotName, ToolResultView } from './contribution.ts';
import { PanelHost } from './panel-host.tsx';
import { PanelPage } from './panel-page.tsx';
import { usePanels, type Panel } from './use-panels.ts';
import { t } from '../kit/t.ts';

/** Returns the panels of plugins as a contribution, which changes only when the list of panels changes. */
export function usePanelContribution(): Contribution {
  const panels = usePanels();
  return useMemo(() => contributionOf(panels), [panels]);
}

/** Converts panels to a contribution. The slot of a panel determines how it is contributed. */
export function contributionOf(panels: readonly Panel[]): Contribution {
  return {
    pages: panels.filter(({ slot }) => slot === 'panel').map(pageOf),
    parts: panels.flatMap((panel) => (isPart(panel) ? partOf(panel) : [])),
    paneTabs: panels.filter(({ slot }) => slot === 'pane').map(tabOf),
    toolResults: panels.filter(({ slot }) => slot === 'tool_result').map(viewOf),
    notes: panels.filter(({ slot }) => slot === 'note').map(viewOf),
  };
}

const pageOf = ({ id, title, icon, place, order }: Panel): PageLink => ({
  ...{ page: 'panel', id, title, icon: iconOf(icon), Page: PanelPage },
  ...(place === undefined ? {} : { place }),
  ...(order === undefined ? {} : { order }),
});

const isPart = (panel: Panel): panel is Panel & { readonly slot: SlotName } => !['panel', 'pane', 'tool_result', 'note'].includes(panel.slot);

/** Returns whether the slot is on a page whose sections have headings. */
const isSection = (slot: SlotName): boolean => slot === 'settings' || slot === 'account' || slot === 'connections';

// A new component function would cause a remount, so each panel keeps its function while the panel is unchanged.
const partOf = kept((panel: Panel & { readonly slot: SlotName }): Part => {
  const { slot, title, order } = panel;
  const Framed = () => (
    <div className="panel-slot" data-slot={slot}>
      <section aria-label={t(title)}>
        {isSection(slot) && <h2>{t(title)}</h2>}
        <PanelHost panel={panel} />
      </section>
    </div>
  );
  return { slot, title, ...(order === undefined ? {} : { order }), Part: Framed };
});

const tabOf = kept((panel: Panel): PaneTab => {
  const { id, title, icon, order } = panel;
  const View = () => (
    <div className="panel-slot" data-slot="pane">
      <PanelHost panel={panel} />
    </div>
  );
  // Placed after the parts of built-ins, which have an order.
  return { tab: `panel-${id}`, title, icon: iconOf(icon), order: order ?? 50, View };
});

const viewOf = kept((panel: Panel): ToolResultView & NoteView => {
  const { tools = [], events = [] } = panel;
  const View = ({ entry, fallback }: { readonly entry: Entry; readonly fallback: ReactNode }) => <PanelHost panel={panel} entry={entry} fallback={fallback} />;
  return { tools, events, View };
});

function kept<P extends Panel, T>(make: (panel: P) => T): (panel: P) => T {
  const made = new WeakMap<P, T>();
  return (panel) => {
    const found = made.get(panel) ?? make(panel);
    made.set(panel, found);
    return found;
  };
}
