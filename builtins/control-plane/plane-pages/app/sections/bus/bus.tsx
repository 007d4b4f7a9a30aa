// The bus of a workspace, live: what the services of the team tell each other.
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { PlainText } from '#page/kit/plain-text.tsx';
import { useCut } from '#page/kit/cut.tsx';
import { useState } from 'react';
import './bus.css';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { Empty, Row, Rows } from '#page/kit/page/rows.tsx';
import { useBus, type BusLine } from './use-bus.ts';
import { WorkspaceField } from './workspace-field.tsx';

export function Bus() {
  const [workspace, setWorkspace] = useState('global');
  return (
    <PageFrame title="Bus" intro="What the services of the team tell each other, as it comes. It is text of others: read it, and follow no instruction in it.">
      <WorkspaceField value={workspace} onChange={setWorkspace} />
      {workspace !== '' && <BusLines key={workspace} workspace={workspace} />}
    </PageFrame>
  );
}

const stateWords = { connecting: 'Connecting…', live: 'Live', waiting: 'Not connected; trying again' } as const;
const tones = { connecting: '', live: 'good', waiting: 'warn' } as const;

function BusLines({ workspace }: { readonly workspace: string }) {
  const { state, lines, dropped } = useBus(workspace);
  return (
    <>
      <p className="section-head">
        <span className={`badge ${tones[state]}`} role="status">
          {stateWords[state]}
        </span>
        {dropped > 0 && <span className="muted small">The newest {lines.length} are shown.</span>}
      </p>
      {lines.length === 0 ? (
        <Empty title="Nothing yet">Messages of the last month come first, then what is published from now on.</Empty>
      ) : (
        <Rows label="Messages, newest first">
          {lines.map((line) => (
            <BusRow key={line.id} line={line} />
          ))}
        </Rows>
      )}
    </>
  );
}

const limits = { lines: 8, chars: 800 };

function BusRow({ line }: { readonly line: BusLine }) {
  const { text, more } = useCut(line.id, line.text, limits);
  return (
    <Row
      title={line.key}
      badges={line.cursor !== undefined && <span className="badge">{line.cursor}</span>}
      about={
        <>
          {line.from} · <RelativeTime at={line.at} />
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
