// Renders the actions that test and remove the identity provider.
import { explainError } from '#page/kit/page/explain-error.ts';
import { useState } from 'react';
import { useMembership } from '../../base/me.ts';
import { call } from '../../base/plane.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import { useConfirm } from '#page/kit/page/use-confirm.tsx';

export interface ProviderActionsProps {
  /** Whether the form has unsaved changes. */
  readonly isTouched: boolean;
  readonly isOn: boolean;
  readonly onRemoved: () => void;
}

interface Outcome {
  readonly isFine: boolean;
  readonly text: string;
}

export function ProviderActions({ isTouched, isOn, onRemoved }: ProviderActionsProps) {
  const { orgId } = useMembership();
  const params = { id: orgId };
  const [outcome, setOutcome] = useState<Outcome>();
  const { isBusy, run } = useAct();
  const [ask, dialog] = useConfirm();

  async function test(): Promise<void> {
    setOutcome(undefined);
    try {
      const { signInAt } = await call('POST /api/orgs/:id/sso/test', { params });
      setOutcome({ isFine: true, text: `Sign-in address: ${signInAt}.${isOn ? '' : ' Single sign-on is still switched off.'}` });
    } catch (error) {
      setOutcome({ isFine: false, text: explainError(error) });
    }
  }

  return (
    <div className="sso-actions">
      <div className="page-actions">
        <button type="button" className="button" disabled={isBusy || isTouched} onClick={() => void run(test)}>
          {isBusy ? 'Testing the provider…' : 'Test the provider'}
        </button>
        <button
          type="button"
          className="button danger"
          disabled={isBusy}
          onClick={() =>
            ask({
              title: 'Remove single sign-on?',
              text: 'Members who signed in through the provider are signed out, and need a password to sign in again. Provider, secret and domains are removed.',
              action: 'Remove',
              go: () => void run(() => call('DELETE /api/orgs/:id/sso', { params }), 'Single sign-on is removed.').then((isDone) => isDone && onRemoved()),
            })
          }
        >
          Remove
        </button>
        {isTouched && <span className="muted small">Save first: the test uses the saved settings.</span>}
      </div>
      {outcome && (
        <p className={`page-notice ${outcome.isFine ? 'good' : 'bad'}`} role="status">
          <span>
            <strong>{outcome.isFine ? 'The provider works.' : 'The test failed.'}</strong> {outcome.text}
          </span>
        </p>
      )}
      {dialog}
    </div>
  );
}
