// Renders the members of the organisation with roles and last activity, and the invitations.
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { SearchField } from '#page/kit/page/search-field.tsx';
import { countOf } from '#page/kit/page/format.ts';
import { Select } from '#page/kit/page/select.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { isAtLeast, roles, roleTitles, useMembership, type Role } from '../../base/me.ts';
import { call, type ReplyOf } from '../../base/plane.ts';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { Empty, Row, Rows } from '#page/kit/page/rows.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useConfirm } from '#page/kit/page/use-confirm.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { Invites } from './invites.tsx';

type Members = ReplyOf<'GET /api/orgs/:id/members'>;
type Member = Members['members'][number];

/** Number of rows that are shown before "Show all" is pressed. */
const shownAtOnce = 100;

export function Members() {
  const { orgId, org, role } = useMembership();
  const loaded = useLoaded('members', (signal) => call('GET /api/orgs/:id/members', { params: { id: orgId }, signal }));
  const [isInviting, invite] = useState(false);
  const [invited, setInvited] = useState(0);
  const mayManage = isAtLeast(role, 'admin');
  return (
    <PageFrame
      title="Members"
      intro={loaded.value && `${loaded.value.members.length} of ${countOf(org.seats, 'seat')} used.`}
      actions={
        mayManage && (
          <button type="button" className="button primary" onClick={() => invite(true)}>
            <UserPlus size={16} aria-hidden /> Invite
          </button>
        )
      }
      isBusy={loaded.isLoading}
    >
      <WhenLoaded loaded={loaded} what="members">
        {({ members }) => <MemberList members={members} onChanged={loaded.reload} />}
      </WhenLoaded>
      {mayManage && <Invites key={invited} />}
      {isInviting && <InviteDialog onClose={() => invite(false)} onMade={() => setInvited((count) => count + 1)} />}
    </PageFrame>
  );
}

function MemberList({ members, onChanged }: { readonly members: readonly Member[]; readonly onChanged: () => void }) {
  const [words, setWords] = useState('');
  const [isAll, showAll] = useState(false);
  const found = members.filter(({ email }) => email.toLowerCase().includes(words.trim().toLowerCase()));
  const shown = isAll ? found : found.slice(0, shownAtOnce);
  return (
    <>
      {members.length > 8 && (
        <div className="page-filters">
          <SearchField label="Find a member" placeholder="Find by e-mail" value={words} onChange={setWords} />
        </div>
      )}
      {shown.length === 0 ? (
        <Empty title="No member matches this address." />
      ) : (
        <Rows label="Members">
          {shown.map((member) => (
            <MemberRow key={member.id} member={member} onChanged={onChanged} />
          ))}
        </Rows>
      )}
      {shown.length < found.length && (
        <p className="more-of">
          <button type="button" className="button" onClick={() => showAll(true)}>
            Show all {found.length}
          </button>
        </p>
      )}
    </>
  );
}

function MemberRow({ member, onChanged }: { readonly member: Member; readonly onChanged: () => void }) {
  const { me, orgId, role: mine, reload } = useMembership();
  const { isBusy, run } = useAct(onChanged);
  const [ask, dialog] = useConfirm();
  const { id: userId, email, role, seenAt, devices } = member;
  const isMe = userId === me.person.id;
  // Only owners may change owners.
  const mayChange = isAtLeast(mine, 'admin') && (mine === 'owner' || role !== 'owner');
  const params = { id: orgId, userId };
  const offered = Object.fromEntries(roles.filter((one) => mine === 'owner' || one !== 'owner').map((one) => [one, roleTitles[one]]));

  const change = (next: Role): void =>
    void run(() => call('PATCH /api/orgs/:id/members/:userId', { params, body: { role: next } }), `${email} is now ${roleTitles[next].toLowerCase()}.`).then(
      (isDone) => isDone && isMe && reload(),
    );
  const remove = (): void =>
    void run(
      () => (isMe ? call('POST /api/orgs/:id/leave', { params: { id: orgId } }) : call('DELETE /api/orgs/:id/members/:userId', { params })),
      isMe ? 'You left the organisation.' : `${email} was removed.`,
    ).then((isDone) => isDone && isMe && reload());

  return (
    <Row
      title={email}
      badges={isMe && <span className="badge accent">you</span>}
      about={
        <>
          {seenAt ? (
            <>
              Last active <RelativeTime at={seenAt} />
            </>
          ) : (
            'Never active'
          )}
          {devices.length > 0 && ` · ${countOf(devices.length, 'sign-in')}`}
        </>
      }
      actions={
        <>
          {mayChange ? (
            <Select label={`Role of ${email}`} value={role} options={offered} onChange={change} />
          ) : (
            <span className="badge">{roleTitles[role]}</span>
          )}
          {(mayChange || isMe) && (
            <button
              type="button"
              className="button danger"
              disabled={isBusy}
              onClick={() =>
                ask(
                  isMe
                    ? {
                        title: 'Leave the organisation?',
                        text: 'Your licenses are revoked. To rejoin, you need a new invitation.',
                        action: 'Leave',
                        go: remove,
                      }
                    : {
                        title: `Remove ${email}?`,
                        text: 'Their sessions and licenses of this organisation end within a second. Their shared notes and messages remain.',
                        action: 'Remove',
                        go: remove,
                      },
                )
              }
            >
              {isMe ? 'Leave' : 'Remove'}
            </button>
          )}
          {dialog}
        </>
      }
    />
  );
}
