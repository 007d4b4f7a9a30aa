// Renders the details that are needed to decide about a call, each once: command, reason, irreversible effects, changes, and other arguments. The reason
// precedes long content, which might hide it.
import type { Approval, Preview } from 'agent-harness/client';
import { showHidden } from '#lib/hidden-text';
import type { ReactNode } from 'react';
import { DiffView } from '../../kit/diff/diff-view.tsx';
import { ArgumentList } from './argument-list.tsx';
import { appliesPreview, describeEffects } from './effect-texts.ts';
import { CallPreview } from './call-preview.tsx';
import { PlainText } from '../../kit/plain-text.tsx';
import { t } from '../../kit/t.ts';

interface ApprovalDetailsProps {
  readonly approval: Approval;
  /** Whether the command was edited, so that its preview is not applied. */
  readonly isEdited: boolean;
  /** The command, rendered as an editable field. */
  readonly line?: ReactNode;
}

export function ApprovalDetails({ approval, isEdited, line }: ApprovalDetailsProps) {
  const { preview, args, effects, reason, rehearsal } = approval;
  // An approved preview is applied exactly as shown and can be undone.
  const stays = appliesPreview(approval, isEdited) ? [] : describeEffects(effects).flatMap((one) => one.stays ?? []);
  return (
    <>
      {preview?.kind === 'command' && <CommandPreview preview={preview} line={line} />}
      <p className="approval-reason small">
        <bdi>
          <PlainText text={reason} />
        </bdi>{' '}
        {stays.map((text) => (
          <b key={text}>{text} </b>
        ))}
      </p>
      {preview?.kind === 'diff' && (
        <div>
          <p className="approval-path small">
            <code>
              <PlainText text={preview.path} />
            </code>
          </p>
          <DiffView diff={showHidden(preview.diff)} path={preview.path} isWhole />
        </div>
      )}
      {rehearsal && <CallPreview rehearsal={rehearsal} isEdited={isEdited} />}
      {preview?.kind === 'diff' ? (
        <details className="approval-arguments">
          <summary>{t('Arguments')}</summary>
          <ArgumentList args={args} />
        </details>
      ) : (
        <ArgumentList args={args} shown={preview ? [preview.command, preview.cwd] : []} />
      )}
    </>
  );
}

function CommandPreview({ preview, line }: { readonly preview: Extract<Preview, { kind: 'command' }>; readonly line: ReactNode }) {
  return (
    <figure className="approval-command">
      {line ?? (
        <pre>
          <PlainText text={preview.command} />
        </pre>
      )}
      <figcaption className="small">
        <span className="muted">{t('in')} </span>
        <code>
          <PlainText text={preview.cwd} />
        </code>
        {preview.network === true && <span className="badge approval-network">{t('with network')}</span>}
        {preview.network === false && <span className="badge">{t('no network')}</span>}
      </figcaption>
    </figure>
  );
}
