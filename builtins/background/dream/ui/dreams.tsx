// Renders the list of dream runs: changes, sources, refusals and undo.
import type { ReplyOf } from 'agent-harness/client';
import { Moon, Undo2 } from 'lucide-react';
import { useClient } from '#page/kit/hooks.ts';
import { PlainText } from '#page/kit/plain-text.tsx';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useConfirm } from '#page/kit/page/use-confirm.tsx';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { t, table, tn, tx } from '#page/kit/t.ts';
import { rowOf } from '#page/kit/short-texts.ts';
import './dreams.css';

type Run = ReplyOf<'GET /api/dreams'>['runs'][number];
type Change = Run['changes'][number];
type Words = Change['evidence'];

const settleMs = 250;
const kinds: Readonly<Record<Change['kind'], string>> = table({ kept: 'Stored', changed: 'Changed', waits: 'In the inbox', deleted: 'Forgotten' });

export function Dreams() {
  const client = useClient();
  const loaded = useLoaded('dreams', (signal) => client.call('GET /api/dreams', { query: { limit: 30 }, signal }));
  useEvents((event) => event.kind.startsWith('dream_') && event.kind !== 'dream_gate', settleMs, loaded.reload);
  const { isBusy, run } = useAct(loaded.reload);
  const [ask, dialog] = useConfirm();

  function undo({ runId }: Run): void {
    ask({
      title: t('Undo this dream?'),
      text: t('All its changes to notes are undone. Later changes stay.'),
      action: t('Undo'),
      go: () => void run(() => client.call('POST /api/dreams/undo', { body: { runId } }), t('The dream was undone.')),
    });
  }

  async function dreamNow(): Promise<void> {
    const made = await client.call('POST /api/dreams', { body: {} });
    if (!made.run) throw new Error(made.next?.why ?? t('No dream was started.'));
  }

  return (
    <section className="page-section" aria-labelledby="dreams-title" aria-busy={loaded.isLoading}>
      <h2 id="dreams-title">{t('Dreams')}</h2>
      <WhenLoaded loaded={loaded} what={t('dreams')}>
        {({ runs, next }) => (
          <>
            <p className="muted small">{t('While the agent is idle, dreams derive notes from recent chats. {why}', { why: next.why })}</p>
            <p>
              <button type="button" className="button" disabled={isBusy} onClick={() => void run(dreamNow)}>
                <Moon size={16} aria-hidden="true" /> {isBusy ? t('Dreaming…') : t('Dream now')}
              </button>
            </p>
            {runs.length > 0 && (
              <ul className="page-card dream-list">
                {runs.map((one) => (
                  <DreamRow key={one.runId} run={one} isBusy={isBusy} onUndo={() => undo(one)} />
                ))}
              </ul>
            )}
          </>
        )}
      </WhenLoaded>
      {dialog}
    </section>
  );
}

function DreamRow({ run, isBusy, onUndo }: { readonly run: Run; readonly isBusy: boolean; readonly onUndo: () => void }) {
  const { runId, startedAt, changes, refused, sessions, summary, undo, forged } = run;
  return (
    <li className="dream" aria-label={runId}>
      <details>
        <summary>
          <RelativeTime at={startedAt} />: <span>{outcomeWords(run)}</span>
        </summary>
        {summary !== '' && (
          <p className="small" dir="auto">
            <PlainText text={summary} />
          </p>
        )}
        <p className="muted small">
          {t('Read:')} {sessions.length === 0 ? t('deleted chats') : null}
          {sessions.map(({ chatId, title }, at) => (
            <span key={chatId}>
              {at > 0 && t(', ##between the parts of a list')}
              <a href={`#/chat/${encodeURIComponent(chatId)}`}>{title === '' ? t('Untitled chat') : title}</a>
            </span>
          ))}
        </p>
        <ul className="dream-rows">
          {changes.map((change) => (
            <li key={`${change.scope} ${change.id} ${change.kind}`}>
              <strong>{change.isLeftAlone === true ? t('Not applied') : kinds[change.kind]}</strong> <bdi>{change.id}</bdi>
              {change.before !== undefined && change.kind !== 'kept' && (
                <del className="dream-value" dir="auto">
                  <PlainText text={change.before} />
                </del>
              )}
              {change.after !== undefined && (
                <span className="dream-value" dir="auto">
                  <PlainText text={change.after} />
                </span>
              )}
              <span className="muted small">{change.why}</span>
              <Quotes words={change.evidence} />
            </li>
          ))}
          {refused.map(({ id, value, why, evidence }, at) => (
            <li key={`refused ${at} ${id}`} className="dream-refused">
              <strong>{t('Refused')}</strong> <bdi>{id}</bdi>
              <span className="dream-value" dir="auto">
                <PlainText text={value} />
              </span>
              <span className="muted small">{why}</span>
              <Quotes words={evidence} />
            </li>
          ))}
        </ul>
        {forged > 0 && <p className="small">{t('Not found at their source: {quotes}.', { quotes: tn(forged, '{count} quote', '{count} quotes') })}</p>}
        {undo?.left.map(({ id, why }) => (
          <p key={id} className="small">
            {tx('Not undone: {id}. {why}', { id: <bdi>{id}</bdi>, why })}
          </p>
        ))}
        {run.state === 'done' && changes.length > 0 && (
          <button type="button" className="button" disabled={isBusy} onClick={onUndo}>
            <Undo2 size={16} aria-hidden="true" /> {t('Undo this dream')}
          </button>
        )}
      </details>
    </li>
  );
}

function Quotes({ words }: { readonly words: Words }) {
  return words.map(({ chatId, entryId, quote, class: origin }) => (
    <blockquote key={`${entryId} ${quote}`} className="dream-quote small" dir="auto">
      <PlainText text={quote} />{' '}
      <a href={`#/chat/${encodeURIComponent(chatId)}/${encodeURIComponent(entryId)}`}>{origin === 'user' ? t('you') : t('source: {origin}', { origin })}</a>
    </blockquote>
  ));
}

function outcomeWords({ state, failure, counts }: Run): string {
  if (state === 'failed') return t('failed: {why}', { why: failure?.why ?? t('the run did not finish') });
  if (state === 'undone') return t('undone');
  if (state !== 'done') return t('running');
  const { kept, waiting, deleted, refused } = counts;
  return rowOf([
    t('{kept} stored', { kept }),
    t('{waiting} waiting', { waiting }),
    ...(deleted > 0 ? [t('{deleted} forgotten', { deleted })] : []),
    t('{refused} refused', { refused }),
  ]);
}
