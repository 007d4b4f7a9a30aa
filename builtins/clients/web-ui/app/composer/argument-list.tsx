// The arguments of a call, one under the other; long values are cut and can be opened.
import { useState } from 'react';
import { rowsOf, type ArgumentRow } from './call-arguments.ts';
import { PlainText } from './plain-text.tsx';
import './argument-list.css';

export function ArgumentList({ args }: { readonly args: unknown }) {
  const rows = rowsOf(args);
  if (rows.length === 0) return <p className="muted small">No arguments.</p>;
  return (
    <dl className="argument-list">
      {rows.map((row) => (
        <Argument key={row.key} row={row} />
      ))}
    </dl>
  );
}

function Argument({ row }: { readonly row: ArgumentRow }) {
  const [isOpen, setOpen] = useState(false);
  const { key, text, short } = row;
  return (
    <div className="argument-row">
      <dt>
        <PlainText text={key} />
      </dt>
      <dd>
        <code>
          {short === undefined || isOpen ? (
            <PlainText text={text} />
          ) : (
            <>
              <PlainText text={short} />…
            </>
          )}
        </code>
        {short !== undefined && (
          <button type="button" className="argument-more small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
            <span className="visually-hidden"> of {key}</span>
          </button>
        )}
      </dd>
    </div>
  );
}
