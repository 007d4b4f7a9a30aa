// Renders the connections page: untrusted content of the folder, then the sections of plugins.
import { useClient } from '../../kit/hooks.ts';
import { useActivePlugins } from '../../points/use-active-plugins.ts';
import { ConnectionsContext } from '../../points/connections/connections-context.ts';
import { Slot } from '../../points/slot.tsx';
import { TrustSection } from './trust-section.tsx';
import '../../kit/page/form.css';
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { useEvents } from '../../kit/page/use-events.ts';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { usePageChat } from '../../kit/page/use-page-chat.ts';
import { WhenLoaded } from '../../kit/page/when-loaded.tsx';
import { t } from '../../kit/t.ts';

export function ConnectionsPage() {
  const { call } = useClient();
  const plugins = useActivePlugins();
  const { chatId } = usePageChat();
  const loaded = useLoaded('connections', (signal) => call('GET /api/integrations', { signal }));
  const trust = useLoaded(`trust ${chatId}`, (signal) => call('GET /api/workspace/trust', { query: chatId === undefined ? {} : { chatId }, signal }));

  function reload(): void {
    loaded.reload();
    trust.reload();
  }
  useEvents((event) => event.kind === 'integration_changed', 200, reload);

  return (
    <PageFrame
      title={t('Connections')}
      intro={t('Services outside this machine that the agent uses, and content of its folder that needs your trust.')}
      isBusy={loaded.isLoading || trust.isLoading}
    >
      {plugins.has('trust') && <TrustSection chatId={chatId} loaded={trust} onDecided={reload} />}
      <WhenLoaded loaded={loaded} what={t('connections')}>
        {(all) => (
          <ConnectionsContext value={{ ...all, reload }}>
            <Slot name="connections" />
          </ConnectionsContext>
        )}
      </WhenLoaded>
    </PageFrame>
  );
}
