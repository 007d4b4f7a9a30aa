// Shows the untrusted content of a chat's folder verbatim, with the buttons to trust it.
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useId, useState } from 'react';
import { PlainText } from '../../kit/plain-text.tsx';
import { useClient } from '../../kit/hooks.ts';
import { explainError } from '../../kit/page/explain-error.ts';
import type { Loaded } from '../../kit/page/use-loaded.ts';
import { Problem, WhenLoaded } from '../../kit/page/when-loaded.tsx';
import type { ReplyOf } from 'agent-harness/client';
import { t, tx } from '../../kit/t.ts';
import '../../points/connections/connections.css';
import './trust-section.css';

type WorkspaceTrust = ReplyOf<'GET /api/workspace/trust'>;
type TrustSubject = WorkspaceTrust['subjects'][number];

export interface TrustSectionProps {
  readonly chatId: string | undefined;
  readonly loaded: Loaded<WorkspaceTrust>;
  /** Called after a trust decision, which also changes the connections. */
  readonly onDecided: () => void;
}

export function TrustSection({ chatId, loaded, onDecided }: TrustSectionProps) {
  const client = useClient();
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function decide({ name, digest }: TrustSubject, isTrusted: boolean): Promise<void> {
    // The button must keep the focus, so it is not disabled while the request runs.
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await client.call('POST /api/workspace/trust', { body: { name, digest, isTrusted, ...(chatId === undefined ? {} : { chatId }) } });
    } catch (error) {
      setProblem(explainError(error));
    } finally {
      setBusy(false);
      onDecided();
    }
  }

  return (
    <section className="page-section" aria-labelledby={id}>
      <h2 id={id}>{t('Content of this workspace that needs trust')}</h2>
      {problem !== undefined && <Problem title={t('Your decision was not stored.')} text={problem} />}
      <WhenLoaded loaded={loaded} what={t('workspace')}>
        {({ workspaceRoot, subjects }) => (
          <>
            <p className="muted connections-intro">
              {tx('Instructions and programs in {workspaceRoot} take effect only after you trust them, and only in their current version.', {
                workspaceRoot: <bdi>{workspaceRoot}</bdi>,
              })}
            </p>
            {subjects.length === 0 ? (
              <p className="page-card padded muted">{t('This folder contains nothing that needs your trust.')}</p>
            ) : (
              <ul className="page-card connections-list">
                {subjects.map((subject) => (
                  <Subject key={subject.name} subject={subject} onDecide={(isTrusted) => void decide(subject, isTrusted)} />
                ))}
              </ul>
            )}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}

function Subject({ subject: { title, detail, isTrusted }, onDecide }: { readonly subject: TrustSubject; readonly onDecide: (isTrusted: boolean) => void }) {
  return (
    <li className="trust-subject">
      <div className="connections-head">
        <h3>{title}</h3>
        <span className={`badge ${isTrusted ? 'good' : 'warn'}`}>{isTrusted ? t('Trusted') : t('Not trusted')}</span>
      </div>
      <pre className="trust-detail" tabIndex={0} role="group" aria-label={t('Content: {title}', { title })}>
        <PlainText text={detail} />
      </pre>
      <button
        type="button"
        className={isTrusted ? 'button' : 'button primary'}
        aria-label={`${isTrusted ? t('Withdraw') : t('Trust')}: ${title}`}
        onClick={() => onDecide(!isTrusted)}
      >
        {isTrusted ? <ShieldOff size={16} aria-hidden="true" /> : <ShieldCheck size={16} aria-hidden="true" />} {isTrusted ? t('Withdraw') : t('Trust')}
      </button>
    </li>
  );
}
