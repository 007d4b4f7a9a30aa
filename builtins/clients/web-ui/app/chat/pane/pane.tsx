// Renders the pane with the tabs of plugins: beside the chat if there is room, otherwise as a sheet over it.
import type { OpenChat } from 'agent-harness/client';
import { FileDiff } from 'lucide-react';
import { Suspense } from 'react';
import { useClient, useStore } from '../../kit/hooks.ts';
import { hostOnly } from '../../kit/host-only.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';
import { useMedia } from '../../kit/use-media.ts';
import { narrow, paneOf, togglePane } from '../../points/pane.ts';
import { usePaneTabs } from '../../points/use-contributions.ts';
import type { PaneCounts } from './use-pane-counts.ts';
import { t } from '../../kit/t.ts';
import { rowOf } from '../../kit/short-texts.ts';
import './pane.css';

const PaneSide = lazyPart(async () => (await import('./pane-side.tsx')).PaneSide);
const PaneSheet = lazyPart(async () => (await import('./pane-sheet.tsx')).PaneSheet);

export function Pane({ chat, counts }: { readonly chat: OpenChat; readonly counts: PaneCounts }) {
  const client = useClient();
  const { isOpen } = useStore(paneOf(client));
  const isNarrow = useMedia(narrow);
  const tabs = usePaneTabs();
  if (!isOpen || tabs.length === 0) return null;
  const Held = isNarrow ? PaneSheet : PaneSide;
  return (
    <Suspense>
      <Held chat={chat} tabs={tabs} counts={counts} onClose={() => togglePane(client)} />
    </Suspense>
  );
}

/** Renders the button that toggles the pane, with its item count. */
export function PaneButton({ counts }: { readonly counts: PaneCounts }) {
  const client = useClient();
  const { isOpen } = useStore(paneOf(client));
  const tabs = usePaneTabs();
  if (tabs.length === 0) return null;
  const [first] = tabs;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <button
      type="button"
      {...hostOnly}
      className="button bare pane-button"
      title={`${rowOf(tabs.map(({ title }) => t(title)))} (Ctrl .)`}
      aria-expanded={isOpen}
      onClick={() => togglePane(client)}
    >
      <FileDiff size={15} aria-hidden />
      <span>{first && t(first.title)}</span>
      {total > 0 && <span className="pane-button-count muted">{total > 99 ? '99+' : total}</span>}
    </button>
  );
}
