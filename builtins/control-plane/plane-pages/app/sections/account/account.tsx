// Renders the user's account: sessions, devices and password.
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { formatDate } from '#page/kit/page/format.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useMembership } from '../../base/me.ts';
import { call, type ReplyOf } from '../../base/plane.ts';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { Empty, Row, Rows } from '#page/kit/page/rows.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { browserName } from './browser-name.ts';
import { PasswordForm } from './password-form.tsx';
import { SingleSignOn } from './single-sign-on.tsx';

type SignedIn = ReplyOf<'GET /api/account/sessions'>['sessions'][number];

export function Account() {
  const { me } = useMembership();
  const loaded = useLoaded('sessions', (signal) => call('GET /api/account/sessions', { signal }));
  const { isBusy, run } = useAct(loaded.reload);
  return (
    <PageFrame title="Your account" intro={me.person.email} isBusy={loaded.isLoading}>
      <WhenLoaded loaded={loaded} what="sign-ins">
        {({ sessions }) => (
          <>
            <SignIns title="Browsers" list={sessions.filter(({ via }) => via === 'session')} none="No browser is signed in." onChanged={loaded.reload} />
            <SignIns
              title="Services and devices"
              list={sessions.filter(({ via }) => via === 'license')}
              none="No service is signed in."
              onChanged={loaded.reload}
            />
            {sessions.length > 1 && (
              <p className="page-section">
                <button
                  type="button"
                  className="button danger"
                  disabled={isBusy}
                  onClick={() => void run(() => call('DELETE /api/account/sessions'), 'You are signed out everywhere else.')}
                >
                  Sign out everywhere else
                </button>
              </p>
            )}
          </>
        )}
      </WhenLoaded>
      <SingleSignOn />
      <PasswordForm onChanged={loaded.reload} />
    </PageFrame>
  );
}

interface SignInsProps {
  readonly title: string;
  readonly list: readonly SignedIn[];
  readonly none: string;
  readonly onChanged: () => void;
}

function SignIns({ title, list, none, onChanged }: SignInsProps) {
  return (
    <section className="page-section" aria-label={title}>
      <h2>{title}</h2>
      {list.length === 0 ? (
        <Empty title={none} />
      ) : (
        <Rows label={title}>
          {list.map((one) => (
            <SignInRow key={one.id} one={one} onChanged={onChanged} />
          ))}
        </Rows>
      )}
    </section>
  );
}

function SignInRow({ one, onChanged }: { readonly one: SignedIn; readonly onChanged: () => void }) {
  const { me } = useMembership();
  const { isBusy, run } = useAct(onChanged);
  const { id, via, name, orgId, peer, madeAt, seenAt, current } = one;
  const title = via === 'session' ? browserName(name) : (name ?? 'A service');
  const org = me.organisations.length > 1 ? me.organisations.find((other) => other.id === orgId)?.name : undefined;
  return (
    <Row
      title={title}
      badges={current && <span className="badge accent">current</span>}
      about={
        <>
          Since {formatDate(madeAt)}
          {seenAt !== undefined && (
            <>
              {' '}
              · seen <RelativeTime at={seenAt} />
            </>
          )}
          {peer !== undefined && ` · from ${peer}`}
          {org !== undefined && ` · ${org}`}
        </>
      }
      actions={
        !current && (
          <button
            type="button"
            className="button danger"
            disabled={isBusy}
            aria-label={`Sign out ${title}`}
            onClick={() => void run(() => call('DELETE /api/account/sessions/:id', { params: { id } }), `${title} is signed out.`)}
          >
            Sign out
          </button>
        )
      }
    />
  );
}
