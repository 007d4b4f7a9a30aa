// Renders the live messages of the team bus for a workspace, with a button to publish.
import { useClient } from '#page/kit/hooks.ts';
import { Empty, Rows } from '#page/kit/page/rows.tsx';
import { Select } from '#page/kit/page/select.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { usePageChat } from '#page/kit/page/use-page-chat.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useShell } from '#page/kit/shell-context.ts';
import { BusMessageRow } from '#page/kit/team-bus/bus-message-row.tsx';
import { LiveBadge } from '#page/kit/team-bus/live-badge.tsx';
import { useEffect, useState } from 'react';
import { followBus, nothingYet } from './follow-bus.ts';
import { PublishDialog } from './publish-dialog.tsx';
import { t } from '#page/kit/t.ts';
import './team-bus.css';

export function TeamBus() {
  const client = useClient();
  const { meta } = usePageChat();
  const [chosen, choose] = useState<string>();
  const loaded = useLoaded('bus', (signal) => client.call('GET /api/team/bus/workspaces', { signal }));
  return (
    <section className="page-section" aria-labelledby="team-bus-title" aria-busy={loaded.isLoading}>
      <h2 id="team-bus-title">{t('Messages between agents')}</h2>
      <WhenLoaded loaded={loaded} what={t('bus')}>
        {({ workspaces, mayPublish }) => {
          const named = [
            ...workspaces.map(({ workspace }) => workspace),
            ...(meta?.workspaceFingerprint?.startsWith('git:') ? [meta.workspaceFingerprint] : []),
            'global',
          ];
          const workspace = chosen ?? named[0] ?? 'global';
          const titles = Object.fromEntries(named.map((one) => [one, one === 'global' ? t('Everywhere') : one]));
          return (
            <>
              <div className="page-filters">
                <Select label={t('Workspace of the bus')} value={workspace} options={titles} onChange={choose} />
              </div>
              <Bus key={workspace} workspace={workspace} mayPublish={mayPublish} />
            </>
          );
        }}
      </WhenLoaded>
    </section>
  );
}

function Bus({ workspace, mayPublish }: { readonly workspace: string; readonly mayPublish: boolean }) {
  const client = useClient();
  const { tell } = useShell();
  const [view, change] = useState(nothingYet);
  const [topic, setTopic] = useState('');
  const [isPublishing, publish] = useState(false);
  useEffect(() => {
    const gone = new AbortController();
    void followBus(client, workspace, gone.signal, change);
    return () => gone.abort();
  }, [client, workspace]);
  const { state, problem, messages, isCut } = view;
  const topics = [...new Set(messages.map(({ key }) => key))].toSorted();
  const shown = messages.filter(({ key }) => topic === '' || key === topic);
  return (
    <>
      <div className="bus-head">
        <LiveBadge state={state} />
        {topics.length > 1 && (
          <Select
            label={t('Topic')}
            value={topic}
            options={{ '': t('All topics'), ...Object.fromEntries(topics.map((one) => [one, one])) }}
            onChange={setTopic}
          />
        )}
        {mayPublish && (
          <button type="button" className="button" onClick={() => publish(true)}>
            {t('Publish…')}
          </button>
        )}
      </div>
      {problem !== undefined && <p className="bus-problem small">{problem}</p>}
      {shown.length === 0 ? (
        <Empty title={state === 'connecting' ? t('Loading…') : t('No messages yet')}>{t('New messages appear here immediately.')}</Empty>
      ) : (
        <Rows label={t('Messages, newest first')}>
          {shown.map(({ key, cursor, from, at, envelope }) => (
            <BusMessageRow key={cursor} id={`bus ${workspace} ${cursor}`} cursor={cursor} topic={key} text={textOf(envelope)} from={from} at={at} />
          ))}
        </Rows>
      )}
      {isCut && <p className="muted small bus-cut">{t('The newest {count} are shown.', { count: messages.length })}</p>}
      {isPublishing && (
        <PublishDialog
          workspace={workspace}
          topics={topics}
          onClose={() => publish(false)}
          onDone={() => {
            publish(false);
            tell(t('Published to the team.'));
          }}
        />
      )}
    </>
  );
}

const textOf = (envelope: unknown): string => (typeof envelope === 'string' ? envelope : JSON.stringify(envelope, null, 2));
