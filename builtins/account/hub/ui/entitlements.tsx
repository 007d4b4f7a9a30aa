// What each tier unlocks, and what of it this account has.
import { Check, Lock } from 'lucide-react';
import { offersOf } from './entitlement-list.ts';

export function Entitlements({ entitlements }: { readonly entitlements: readonly string[] }) {
  return (
    <section className="page-section" aria-labelledby="entitlements-title">
      <h2 id="entitlements-title">What an account unlocks</h2>
      <p className="muted entitlements-intro">Everything else works without one.</p>
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
                      {item.title} <span className="visually-hidden">({item.isUnlocked ? 'unlocked' : 'locked'})</span>
                    </p>
                    <p className="muted small">{item.description}</p>
                  </div>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}
