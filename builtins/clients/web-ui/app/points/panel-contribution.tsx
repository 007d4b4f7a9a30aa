// The panels of plugins, as the contribution that they are: pages, parts and views of results.
import { useMemo } from 'react';
import { iconOf } from '../kit/icons.tsx';
import type { Contribution, PageLink, Part, ToolResultView } from './contribution.ts';
import { PanelHost } from './panel-host.tsx';
import { PanelPage } from './panel-page.tsx';
import { usePanels, type Panel } from './use-panels.ts';

/** Another one only when the list of panels is. */
export function usePanelContribution(): Contribution {
  const panels = usePanels();
  return useMemo(
    () => ({
      pages: panels.filter(({ slot }) => slot === 'panel').map(pageOf),
      parts: panels.filter(({ slot }) => slot === 'composer' || slot === 'settings').map(partOf),
      toolResults: panels.filter(({ slot }) => slot === 'tool_result').map(viewOf),
    }),
    [panels],
  );
}

const pageOf = ({ id, title, icon }: Panel): PageLink => ({ page: 'panel', id, title, icon: iconOf(icon), Page: PanelPage });

// A component that is another function is mounted anew, so each panel has one for as long as it is the same.
const partOf = kept((panel: Panel): Part => {
  const { slot, title } = panel;
  const Framed = () => (
    <div className="panel-slot" data-slot={slot}>
      <section aria-label={title}>
        {slot === 'settings' && <h2>{title}</h2>}
        <PanelHost panel={panel} />
      </section>
    </div>
  );
  return { slot: slot as Part['slot'], title, Part: Framed };
});

const viewOf = kept((panel: Panel): ToolResultView => {
  return { tools: panel.tools ?? [], View: ({ entry, fallback }) => <PanelHost panel={panel} entry={entry} fallback={fallback} /> };
});

function kept<T>(make: (panel: Panel) => T): (panel: Panel) => T {
  const made = new WeakMap<Panel, T>();
  return (panel) => {
    const found = made.get(panel) ?? make(panel);
    made.set(panel, found);
    return found;
  };
}
