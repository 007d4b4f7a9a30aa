// Renders the list of open invitations.
import { formatDate } from '#page/kit/page/format.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { roleTitles, useMembership } from '../../base/me.ts';
import { call } from '../../base/plane.ts';
import { Row, Rows } from '#page/kit/page/rows.tsx';
import { useAct } from '#page/kit/page/use-act.ts';

export function Invites() {
  const { orgId } = useMembership();
  const loaded = useLoaded('invites', (signal) => call('GET /api/orgs/:id/invites', { params: { id: orgId }, signal }));
  const { isBusy, run } = useAct(loaded.reload);
  return (
    <section className="page-section" aria-labelledby="invites-title">
      <h2 id="invites-title">Invitations</h2>
      <WhenLoaded loaded={loaded} what="invitations">
        {({ invites }) =>
          invites.length === 0 ? (
            <p className="muted">No open invitations.</p>
          ) : (
            <Rows label="Invitations">
              {invites.map(({ id, email, role, invitedBy, endsAt }) => (
                <Row
                  key={id}
                  title={email ?? 'Any person with the link'}
                  badges={<span className="badge">{roleTitles[role]}</span>}
                  about={`Valid until ${formatDate(endsAt)}${invitedBy === undefined ? '' : ` · invited by ${invitedBy}`}`}
                  actions={
                    <button
                      type="button"
                      className="button danger"
                      disabled={isBusy}
                      onClick={() =>
                        void run(() => call('DELETE /api/orgs/:id/invites/:inviteId', { params: { id: orgId, inviteId: id } }), 'The invitation is revoked.')
                      }
                    >
                      Revoke
                    </button>
                  }
                />
              ))}
            </Rows>
          )
        }
      </WhenLoaded>
    </section>
  );
}
