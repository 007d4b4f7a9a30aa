// Renders one uploaded chat of the user.
import { hashOf } from '#page/kit/hooks.ts';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { PlainText } from '#page/kit/plain-text.tsx';
import { useCut } from '#page/kit/cut.tsx';
import { countOf, formatTime } from '#page/kit/page/format.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useState } from 'react';
import { MoreOf } from '../../base/more-of.tsx';
import { call } from '../../base/plane.ts';
import { Empty, Row, Rows } from '#page/kit/page/rows.tsx';
import { usePaged } from '../../base/use-paged.ts';
import { shownLine } from './session-lines.ts';
import './sessions.css';

/** @param from index of the first line to load */
export function Session({ sessionId, from }: { readonly sessionId: string; readonly from: number }) {
  const [total, setTotal] = useState<number>();
  const paged = usePaged('lines', async (cursor, signal) => {
    const begin = cursor === undefined ? from : Number(cursor);
    const {
      lines = [],
      cursor: next,
      total: all,
    } = await call('GET /api/pro/session_history', {
      query: { sessionId, cursor: String(begin) },
      ...(signal ? { signal } : {}),
    });
    setTotal(all);
    return { items: lines.map((text, at) => ({ number: begin + at, text })), cursor: next };
  });
  return (
    <PageFrame
      title={sessionId}
      intro={
        <>
          <a href={hashOf({ page: 'sessions' })}>Your sessions</a>
          {total !== undefined && ` · ${countOf(total, 'line')}`}
          {from > 0 && (
            <>
              {' '}
              · from line {from + 1}; <a href={hashOf({ page: 'sessions', id: sessionId })}>from the beginning</a>
            </>
          )}
        </>
      }
      isBusy={paged.isLoading}
    >
      <WhenLoaded loaded={paged} what="session">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No lines" />
          ) : (
            <Rows label="Lines">
              {items.map(({ number, text }) => (
                <Line key={number} number={number} line={text} />
              ))}
            </Rows>
          )
        }
      </WhenLoaded>
      <MoreOf paged={paged} />
    </PageFrame>
  );
}

const limits = { lines: 12, chars: 1_200 };

function Line({ number, line }: { readonly number: number; readonly line: string }) {
  const { title, text: whole, at } = shownLine(line);
  const { text, more } = useCut(String(number), whole, limits);
  return (
    <Row title={title} badges={<span className="badge">{number + 1}</span>} about={at && formatTime(at)}>
      {text !== '' && (
        <p className="session-text">
          <PlainText text={text} />
        </p>
      )}
      {more}
    </Row>
  );
}
