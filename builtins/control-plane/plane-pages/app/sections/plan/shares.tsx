// Renders the wallet caps of members.
import { formatCount } from '#page/kit/page/format.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useShell } from '#page/kit/shell-context.ts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMembership } from '../../base/me.ts';
import { call } from '../../base/plane.ts';
import { Row, Rows } from '#page/kit/page/rows.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useMemberNames } from '../../base/use-member-names.ts';
import { creditText } from './credit-text.ts';
import { ShareDialog, type Share } from './share-dialog.tsx';

export function Shares({ onChanged }: { /** Called after a change, which may affect the user's own cap. */ readonly onChanged: () => void }) {
  const { role } = useMembership();
  const { tell } = useShell();
  const loaded = useLoaded('shares', (signal) => call('GET /api/inference/wallet/members', { signal }));
  /** Member whose cap is edited; an empty string adds a cap for another member. */
  const [edited, edit] = useState<string>();
  const nameOf = useMemberNames();
  const mayWrite = role === 'owner';
  const changed = (): void => {
    loaded.reload();
    onChanged();
  };
  return (
    <section className="page-section" aria-labelledby="shares-title">
      <div className="section-head">
        <h2 id="shares-title">Caps of members</h2>
        {mayWrite && (
          <button type="button" className="button" disabled={!loaded.value} onClick={() => edit('')}>
            <Plus size={16} aria-hidden /> Set a cap
          </button>
        )}
      </div>
      <WhenLoaded loaded={loaded} what="caps">
        {({ members }) =>
          members.length === 0 ? (
            <p className="muted">Every member may use the whole wallet.{!mayWrite && ' An owner sets caps.'}</p>
          ) : (
            <Rows label="Caps of members">
              {members.map((share) => (
                <ShareRow key={share.userId} share={share} name={nameOf(share.userId)} mayWrite={mayWrite} onEdit={edit} onChanged={changed} />
              ))}
            </Rows>
          )
        }
      </WhenLoaded>
      {edited !== undefined && (
        <ShareDialog
          userId={edited}
          shares={loaded.value?.members ?? []}
          onClose={() => edit(undefined)}
          onSet={() => {
            edit(undefined);
            tell('The cap is set. It applies from the next call.');
            changed();
          }}
        />
      )}
    </section>
  );
}

interface ShareRowProps {
  readonly share: Share;
  readonly name: string;
  readonly mayWrite: boolean;
  readonly onEdit: (userId: string) => void;
  readonly onChanged: () => void;
}

function ShareRow({ share: { userId, capMicro, usedMicro, heldMicro }, name, mayWrite, onEdit, onChanged }: ShareRowProps) {
  const { isBusy, run } = useAct(onChanged);
  const percent = capMicro === 0 ? 100 : Math.round((usedMicro / capMicro) * 100);
  return (
    <Row
      title={name}
      badges={percent >= 80 && <span className={`badge ${percent >= 95 ? 'bad' : 'warn'}`}>{formatCount(percent)} % used</span>}
      about={`${creditText(usedMicro)} of ${creditText(capMicro)} used in this period${heldMicro > 0 ? `, ${creditText(heldMicro)} reserved` : ''}`}
      actions={
        mayWrite && (
          <>
            <button type="button" className="button" aria-label={`Change the cap of ${name}`} onClick={() => onEdit(userId)}>
              Change
            </button>
            <button
              type="button"
              className="button danger"
              disabled={isBusy}
              aria-label={`Remove the cap of ${name}`}
              onClick={() =>
                void run(
                  () => call('PUT /api/inference/wallet/members/:userId', { params: { userId }, body: { capMicro: null } }),
                  `${name} may use the whole wallet.`,
                )
              }
            >
              Remove
            </button>
          </>
        )
      }
    >
      <progress className="plain-bar" aria-label={`Used by ${name}`} max={Math.max(1, capMicro)} value={Math.min(usedMicro, capMicro)} />
    </Row>
  );
}
