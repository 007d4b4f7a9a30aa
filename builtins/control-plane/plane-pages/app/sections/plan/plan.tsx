// Renders the plan of an organisation: tier, seats, wallet and usage.
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { formatCount } from '#page/kit/page/format.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { useState } from 'react';
import { isAtLeast, isOperator, tierTitles, useMembership } from '../../base/me.ts';
import { call } from '../../base/plane.ts';
import { PlanDialog } from './plan-dialog.tsx';
import { Receipts } from './receipts.tsx';
import { Shares } from './shares.tsx';
import { Wallet } from './wallet.tsx';
import './plan.css';

export function Plan() {
  const membership = useMembership();
  const { org, orgId, role, entitlements, reload } = membership;
  const { tell } = useShell();
  const [version, setVersion] = useState(0);
  const [isEditing, edit] = useState(false);
  const hasWallet = isAtLeast(role, 'member') && entitlements.has('pro.managed_inference');
  const members = useLoaded('members', (signal) => call('GET /api/orgs/:id/members', { params: { id: orgId }, signal }));
  const wallet = useLoaded(hasWallet ? `wallet ${org.tier} ${version}` : undefined, (signal) => call('GET /api/inference/wallet', { signal }));
  const maySet = isOperator(membership);
  return (
    <PageFrame
      title="Plan and wallet"
      intro={maySet ? undefined : 'The operator of this control plane sets the plan and the wallet cap.'}
      actions={
        maySet && (
          <button type="button" className="button" disabled={hasWallet && !wallet.value} onClick={() => edit(true)}>
            Change the plan
          </button>
        )
      }
    >
      <dl className="page-card padded facts">
        <div>
          <dt>Plan</dt>
          <dd className="large">{tierTitles[org.tier]}</dd>
        </div>
        <div>
          <dt>Seats</dt>
          <dd className="large">{members.value ? `${formatCount(members.value.members.length)} of ${formatCount(org.seats)}` : formatCount(org.seats)}</dd>
        </div>
      </dl>
      {hasWallet && (
        <>
          <Wallet loaded={wallet} />
          {isAtLeast(role, 'admin') && <Shares onChanged={wallet.reload} />}
          <Receipts />
        </>
      )}
      {isEditing && (
        <PlanDialog
          org={{ ...org, ...(wallet.value ? { walletCapMicro: wallet.value.capMicro } : {}) }}
          onClose={() => edit(false)}
          onSet={() => {
            edit(false);
            tell('The plan is set. It applies within a second.');
            reload();
            setVersion((count) => count + 1);
          }}
        />
      )}
    </PageFrame>
  );
}
