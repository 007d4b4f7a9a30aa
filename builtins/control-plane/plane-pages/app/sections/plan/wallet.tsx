// Renders the wallet of managed inference: remaining credit and usage.
import { formatDate } from '#page/kit/page/format.ts';
import type { Loaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import type { ReplyOf } from '../../base/plane.ts';
import { creditText } from './credit-text.ts';
import './plan.css';

type WalletState = ReplyOf<'GET /api/inference/wallet'>;

export function Wallet({ loaded }: { readonly loaded: Loaded<WalletState> }) {
  return (
    <section className="page-section" aria-labelledby="wallet-title">
      <h2 id="wallet-title">Wallet</h2>
      <WhenLoaded loaded={loaded} what="wallet">
        {(wallet) => <Amounts wallet={wallet} />}
      </WhenLoaded>
    </section>
  );
}

function Amounts({ wallet }: { readonly wallet: WalletState }) {
  const { capMicro, usedMicro, heldMicro, remainingMicro, periodEnd, warning, member } = wallet;
  return (
    <div className="page-card padded stack">
      {capMicro === 0 && (
        <p className="page-notice wallet-warning">
          <span>
            <strong>The wallet is empty.</strong> Model calls are refused until the operator of this control plane sets a cap.
          </span>
        </p>
      )}
      {warning !== null && capMicro > 0 && (
        <p className={`page-notice wallet-warning ${warning >= 95 ? 'bad' : 'warn'}`} role="status">
          <span>
            <strong>{warning} % of the wallet is used.</strong> When it is used up, turns of services stop and show how to continue.
          </span>
        </p>
      )}
      <dl className="facts">
        <Amount title="Remaining" micro={remainingMicro} isLarge />
        <Amount title="Used" micro={usedMicro} />
        <Amount title="Reserved for running calls" micro={heldMicro} />
        <Amount title="Cap" micro={capMicro} />
        <div>
          <dt>Period</dt>
          <dd>{periodEnd === null ? 'does not end' : `until ${formatDate(periodEnd)}`}</dd>
        </div>
      </dl>
      <progress className="plain-bar wallet-bar" aria-label="Used credit of the wallet" max={Math.max(1, capMicro)} value={Math.min(usedMicro, capMicro)} />
      {member && (
        <p className="muted">
          Your own cap: {creditText(member.remainingMicro)} left of {creditText(member.capMicro)}.
        </p>
      )}
    </div>
  );
}

function Amount({ title, micro, isLarge = false }: { readonly title: string; readonly micro: number; readonly isLarge?: boolean }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className={isLarge ? 'large' : undefined}>{creditText(micro)}</dd>
    </div>
  );
}
