// What a person needs to judge a call: the command or the diff, what cannot be undone, the arguments.
import type { Approval, Preview } from 'agent-harness/client';
import { TriangleAlert } from 'lucide-react';
import { DiffView } from '../transcript/diff-view.tsx';
import { ArgumentList } from './argument-list.tsx';
import { describeEffects } from './effect-words.ts';
import { PlainText } from './plain-text.tsx';

export function ApprovalDetails({ approval }: { readonly approval: Approval }) {
  const { preview, args, effects } = approval;
  return (
    <>
      {preview?.kind === 'command' && <CommandPreview preview={preview} />}
      {preview?.kind === 'diff' && (
        <div>
          <p className="approval-path small">
            <code>
              <PlainText text={preview.path} />
            </code>
          </p>
          <DiffView diff={preview.diff} path={preview.path} />
        </div>
      )}
      <Effects effects={effects} />
      {preview ? (
        <details className="approval-arguments">
          <summary>Arguments</summary>
          <ArgumentList args={args} />
        </details>
      ) : (
        <div className="approval-arguments">
          <ArgumentList args={args} />
        </div>
      )}
    </>
  );
}

function CommandPreview({ preview }: { readonly preview: Extract<Preview, { kind: 'command' }> }) {
  return (
    <figure className="approval-command">
      <figcaption className="small">
        <span className="muted">in </span>
        <code>
          <PlainText text={preview.cwd} />
        </code>
        {preview.network === true && <span className="badge approval-network">with network</span>}
        {preview.network === false && <span className="badge">no network</span>}
      </figcaption>
      <pre>
        <PlainText text={preview.command} />
      </pre>
    </figure>
  );
}

function Effects({ effects }: { readonly effects: readonly string[] }) {
  return (
    <ul className="approval-effects small" aria-label="What it does">
      {describeEffects(effects).map(({ effect, does, stays }) => (
        <li key={effect} data-stays={stays !== undefined || undefined}>
          {stays !== undefined && <TriangleAlert size={14} aria-hidden />}
          <span>
            <b>{does}.</b> {stays}
          </span>
        </li>
      ))}
    </ul>
  );
}
