// Renders a message on a team's bus: its topic, publisher and time. The text is third-party text and is never rendered as markup.
import { useCut } from '../cut.tsx';
import { RelativeTime } from '../page/relative-time.tsx';
import { Row } from '../page/rows.tsx';
import { PlainText } from '../plain-text.tsx';
import './team-bus.css';

export interface BusMessageRowProps {
  /** Unique on the page: key of the expanded state. */
  readonly id: string;
  /** Omitted for a line that is not a message, such as a gap. */
  readonly cursor?: number | undefined;
  readonly topic: string;
  readonly text: string;
  readonly from: string;
  /** ISO 8601; empty if unknown. */
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
