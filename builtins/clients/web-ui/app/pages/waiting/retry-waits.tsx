// Lists turns that are waiting before a retry of the model provider: reason, remaining time, and actions.
import { RotateCw, Square } from 'lucide-react';
import { handle, retryText, type Handlers, type ReplyOf, type WireEvent } from 'agent-harness/client';
import { useEffect } from 'react';
import { titleOf } from '../../attention/attention.ts';
import { hashOf, useClient } from '../../kit/hooks.ts';
import { Row, Rows } from '../../kit/page/rows.tsx';
import { useAct } from '../../kit/page/use-act.ts';
import { useEvents } from '../../kit/page/use-events.ts';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { useClock } from '../../kit/use-clock.ts';
import { useSelected } from '../../kit/use-selected.ts';
import { usePermission } from '../../points/use-permission.ts';
import { t } from '../../kit/t.ts';

type RetryWait = ReplyOf<'GET /api/session/retries'>['retries'][number];

const yes = (): true => true;
const changing: Handlers<true> = { provider_retry: yes, turn_end: yes };
const changes = (event: WireEvent): boolean => handle(event, changing) ?? event.kind === 'resync';
const togetherMs = 100;
const second = 1_000;

export interface RetryWaitList {
  readonly waits: readonly RetryWait[];
  reload(): void;
}

/** Returns the waits of all chats, kept current. */
export function useRetryWaits(): RetryWaitList {
  const client = useClient();
  const { value, reload } = useLoaded('retries', (signal) => client.call('GET /api/session/retries', { query: { chatId: 'all' }, signal }));
  useEvents(changes, togetherMs, reload);
  const waits = value?.retries ?? [];
  const ends = waits.map(({ until }) => until).join(' ');
  useEffect(() => {
    if (ends === '') return;
    // No event announces the end of a wait.
    const next = Math.min(...ends.split(' ').map((until) => Date.parse(until)));
    const timer = setTimeout(reload, Math.max(0, next - Date.now()) + second);
    return () => clearTimeout(timer);
  }, [ends, reload]);
  return { waits, reload };
}

export function RetryWaits({ waits, reload }: RetryWaitList) {
  const client = useClient();
  const chats = useSelected(client.chats, (list) => list.chats);
  const now = useClock(waits.length === 0 ? undefined : second);
  const mayWrite = usePermission('chats.write');
  const { isBusy, run } = useAct(reload);
  if (waits.length === 0) return null;
  return (
    <section className="page-section waiting-retries" aria-labelledby="waiting-retries">
      <h2 id="waiting-retries">{t('Waiting for the model provider')}</h2>
      <Rows label={t('Waiting for the model provider')}>
        {waits.map((wait) => {
          const { chatId, turnId } = wait;
          const title = titleOf(chatId, chats);
          return (
            <Row
              key={turnId}
              title={<a href={hashOf({ page: 'chat', id: chatId })}>{title}</a>}
              badges={<span className="badge">{wait.isLimit ? t('Limit') : t('Failure')}</span>}
              about={<span dir="auto">{retryText(wait, now.getTime())}</span>}
              actions={
                mayWrite && (
                  <>
                    <button
                      type="button"
                      className="button"
                      aria-label={t('Try now: {title}', { title })}
                      disabled={isBusy}
                      onClick={() => void run(() => client.call('POST /api/session/retry', { body: { chatId } }))}
                    >
                      <RotateCw size={16} aria-hidden /> {t('Try now')}
                    </button>
                    <button
                      type="button"
                      className="button"
                      aria-label={t('Stop: {title}', { title })}
                      disabled={isBusy}
                      onClick={() => void run(() => client.call('POST /api/session/abort', { body: { chatId } }))}
                    >
                      <Square size={16} aria-hidden /> {t('Stop')}
                    </button>
                  </>
                )
              }
            />
          );
        })}
      </Rows>
    </section>
  );
}
