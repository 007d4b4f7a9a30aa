// A message of the team's bus: its topic, who published it and when. Text of others: never read as markup.
import { useCut } from '../cut.tsx';
import { RelativeTime } from '../page/relative-time.tsx';
import { Row } from '../page/rows.tsx';
import { PlainText } from '../plain-text.tsx';
import './team-bus.css';

export interface BusMessageRowProps {
  /** Unique on the page: what is unfolded is kept by it. */
  readonly id: string;
  /** Of a line that is no message, such as a gap: left out. */
  readonly cursor?: number | undefined;
  readonly topic: string;
  readonly text: string;
  readonly from: string;
  /** ISO 8601; empty where it is not known. */
  readonly at: string;
}

const limits = { lines: 8, chars: 800 };

export function BusMessageRow({ id, cursor, topic, text: whole, from, at }: BusMessageRowProps) {
  const { text, more } = useCut(id, whole, limits);
  return (
    <Row
      title={<bdi>{topic}</bdi>}
      badges={cursor !== undefined && <span className="badge">{cursor}</span>}
      about={
        <>
          {from}
          {at !== '' && (
            <>
              {' '}
              · <RelativeTime at={at} />
            </>
          )}
        </>
      }
    >
      <pre className="bus-text small">
        <PlainText text={text} />
      </pre>
      {more}
    </Row>
  );
}
