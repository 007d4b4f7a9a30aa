// Renders the user's uploaded chats: list, search, and a single chat.
import { hashOf, useRoute } from '#page/kit/hooks.ts';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { PlainText } from '#page/kit/plain-text.tsx';
import { countOf, formatTime } from '#page/kit/page/format.ts';
import { SearchField } from '#page/kit/page/search-field.tsx';
import { useSettled } from '#page/kit/page/use-settled.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useState } from 'react';
import { MoreOf } from '../../base/more-of.tsx';
import { call } from '../../base/plane.ts';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { Empty, Row, Rows } from '#page/kit/page/rows.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useConfirm } from '#page/kit/page/use-confirm.tsx';
import { usePaged } from '../../base/use-paged.ts';
import { Session } from './session.tsx';
import './sessions.css';

/** Delay after the last keystroke before the search starts, in milliseconds. */
const settleMs = 300;

export function Sessions() {
  const { id, part } = useRoute();
  return id === undefined ? <SessionList /> : <Session key={`${id} ${part ?? ''}`} sessionId={id} from={Number(part ?? 0) || 0} />;
}

function SessionList() {
  const [words, setWords] = useState('');
  const query = useSettled(words.trim(), settleMs);
  return (
    <PageFrame title="Your sessions" intro="Chats that your services uploaded. You can search them from every machine, and only you can see them.">
      <div className="page-filters">
        <SearchField label="Find in your sessions" placeholder='Words, or "a phrase"' value={words} onChange={setWords} />
      </div>
      {query === '' ? <StoredSessions /> : <Hits key={query} words={query} />}
    </PageFrame>
  );
}

function StoredSessions() {
  const paged = usePaged('sessions', async (cursor, signal) => {
    const { sessions, cursor: next } = await call('GET /api/pro/session_history/sessions', {
      query: cursor === undefined ? {} : { cursor: String(cursor) },
      ...(signal ? { signal } : {}),
    });
    return { items: sessions, cursor: next };
  });
  const { isBusy, run } = useAct(paged.reload);
  const [ask, dialog] = useConfirm();
  return (
    <>
      <WhenLoaded loaded={paged} what="sessions">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No sessions yet">
              A service uploads its chats with the tool session_history_upload, or automatically if AGENT_SESSION_HISTORY_CLOUD is on.
            </Empty>
          ) : (
            <Rows label="Sessions">
              {items.map(({ sessionId, lines, at }) => (
                <Row
                  key={sessionId}
                  title={<a href={hashOf({ page: 'sessions', id: sessionId })}>{sessionId}</a>}
                  about={
                    <>
                      {countOf(lines, 'line')} · last added to <RelativeTime at={at} />
                    </>
                  }
                  actions={
                    <button
                      type="button"
                      className="button danger"
                      disabled={isBusy}
                      aria-label={`Remove ${sessionId}`}
                      onClick={() =>
                        ask({
                          title: `Remove ${sessionId}?`,
                          text: 'It is permanently removed from this control plane. The chat on your machine remains.',
                          action: 'Remove',
                          go: () => void run(() => call('DELETE /api/pro/session_history', { query: { sessionId } }), 'The session is removed.'),
                        })
                      }
                    >
                      Remove
                    </button>
                  }
                />
              ))}
            </Rows>
          )
        }
      </WhenLoaded>
      <MoreOf paged={paged} />
      {dialog}
    </>
  );
}

function Hits({ words }: { readonly words: string }) {
  const paged = usePaged(words, async (cursor, signal) => {
    const { hits = [], cursor: next } = await call('GET /api/pro/session_history', {
      query: { q: words, ...(cursor === undefined ? {} : { cursor: String(cursor) }) },
      ...(signal ? { signal } : {}),
    });
    return { items: hits, cursor: next };
  });
  return (
    <>
      <WhenLoaded loaded={paged} what="lines">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No lines match">The search matches whole words.</Empty>
          ) : (
            <Rows label="Matching lines, newest first">
              {items.map(({ sessionId, line, at, excerpt }) => (
                <Row
                  key={`${sessionId} ${line}`}
                  title={<a href={hashOf({ page: 'sessions', id: sessionId, part: String(line) })}>{sessionId}</a>}
                  about={`Line ${line + 1} · stored ${formatTime(at)}`}
                >
                  <p className="session-text">
                    <PlainText text={excerpt} />
                  </p>
                </Row>
              ))}
            </Rows>
          )
        }
      </WhenLoaded>
      <MoreOf paged={paged} />
    </>
  );
}
