// Renders the tabs of the pane, and the content of the selected one.
import type { OpenChat } from 'agent-harness/client';
import { X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { Suspense } from 'react';
import { useClient, useStore } from '../../kit/hooks.ts';
import { HostOnly } from '../../kit/host-only.tsx';
import { Loading } from '../../kit/page/when-loaded.tsx';
import { Region } from '../../kit/region.tsx';
import type { PaneTab } from '../../points/contribution.ts';
import { openPane, paneOf } from '../../points/pane.ts';
import type { PaneCounts } from './use-pane-counts.ts';
import { t } from '../../kit/t.ts';
import { inSentence } from '../../kit/short-texts.ts';
import '../../kit/page/pages.css';

export interface PaneProps {
  readonly chat: OpenChat;
  readonly tabs: readonly PaneTab[];
  readonly counts: PaneCounts;
  readonly onClose: () => void;
}

export function PaneTabs({ chat, tabs, counts, onClose }: PaneProps) {
  const client = useClient();
  const { tab: wanted, targets } = useStore(paneOf(client));
  const chosen = tabs.find(({ tab }) => tab === wanted) ?? tabs.find(({ tab }) => (counts[tab] ?? 0) > 0) ?? tabs[0];
  if (!chosen) return null;
  return (
    <HostOnly>
      <Tabs.Root className="pane-tabs" value={chosen.tab} onValueChange={(tab) => openPane(client, tab)}>
        <div className="pane-head">
          <Tabs.List className="pane-list" aria-label={t('Tabs of the pane')}>
            {tabs.map(({ tab, title, icon: Picture }) => (
              <Tabs.Trigger key={tab} className="pane-tab" value={tab}>
                <Picture size={16} aria-hidden />
                <span>{t(title)}</span>
                {(counts[tab] ?? 0) > 0 && <span className="pane-tab-count">{counts[tab]}</span>}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <button type="button" className="button bare icon" aria-label={t('Close the pane')} onClick={onClose}>
            <X size={18} aria-hidden />
          </button>
        </div>
        {tabs.map(({ tab, title, View }) => (
          <Tabs.Content key={tab} className="pane-content" value={tab} tabIndex={-1}>
            <Region name={t(title)} resetKey={chat.chatId}>
              <Suspense fallback={<Loading what={inSentence(t(title))} />}>
                <View key={chat.chatId} chat={chat} target={targets[tab]} />
              </Suspense>
            </Region>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </HostOnly>
  );
}
