// Renders the entitlements of each tier and whether this account has them.
import { Check, Lock } from 'lucide-react';
import { offersOf } from './entitlement-list.ts';
import { troubleOf, type PluginState } from './entitlement-state.ts';
import { t } from '#page/kit/t.ts';

export interface EntitlementsProps {
  readonly entitlements: readonly string[];
  readonly plugins: readonly PluginState[];
  /** Whether the list is collapsed until the user opens it. */
  readonly isFolded: boolean;
}

export function Entitlements({ isFolded, ...shown }: EntitlementsProps) {
  if (isFolded)
    return (
      <details className="page-more">
        <summary>{t('Features of an account')}</summary>
        <Offers {...shown} />
      </details>
    );
  return (
    <section className="page-section" aria-labelledby="entitlements-title">
      <h2 id="entitlements-title">{t('Features of an account')}</h2>
      <Offers {...shown} />
    </section>
  );
}

function Offers({ entitlements, plugins }: Omit<EntitlementsProps, 'isFolded'>) {
  return (
    <>
      <p className="muted entitlements-intro">{t('All other features work without an account.')}</p>
      <div className="entitlements">
        {offersOf(entitlements).map(({ tier, title, items }) => (
          <section key={tier} className="page-card padded" aria-label={title}>
            <h3>{title}</h3>
            <ul>
              {items.map((item) => (
                <li key={item.id} data-unlocked={item.isUnlocked}>
                  {item.isUnlocked ? <Check size={16} aria-hidden="true" /> : <Lock size={16} aria-hidden="true" />}
                  <div>
                    <p>
                      {item.title} <span className="visually-hidden">({item.isUnlocked ? t('unlocked') : t('locked')})</span>
                    </p>
                    <p className="muted small">{item.description}</p>
                    {item.isUnlocked && <Trouble text={troubleOf(item.id, plugins)} />}
                  </div>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

function Trouble({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <p className="entitlement-trouble small">{text}.</p>;
}
