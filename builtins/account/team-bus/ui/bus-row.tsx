// A message of the bus: its topic, who published it and when.
import { useCut } from '#page/kit/cut.tsx';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { Row } from '#page/kit/page/rows.tsx';
import { PlainText } from '#page/kit/plain-text.tsx';
import type { BusMessage } from './follow-bus.ts';

const limits = { lines: 8, chars: 800 };

export function BusRow({ workspace, message }: { readonly workspace: string; readonly message: BusMessage }) {
  const { cursor, key, from, at, envelope } = message;
  const { text, more } = useCut(`bus ${workspace} ${cursor}`, typeof envelope === 'string' ? envelope : JSON.stringify(envelope, null, 2), limits);
  return (
    <Row
      title={<bdi>{key}</bdi>}
      badges={<span className="badge">{cursor}</span>}
      about={
        <>
          {from} · <RelativeTime at={at} />
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
