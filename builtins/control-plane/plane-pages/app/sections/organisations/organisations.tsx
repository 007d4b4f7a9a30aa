// Renders the operator's list of all organisations with their plans.
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { countOf, formatCount } from '#page/kit/page/format.ts';
import { SearchField } from '#page/kit/page/search-field.tsx';
import { useSettled } from '#page/kit/page/use-settled.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useShell } from '#page/kit/shell-context.ts';
import { useState } from 'react';
import { tierTitles, useMembership } from '../../base/me.ts';
import { MoreOf } from '../../base/more-of.tsx';
import { call, type ReplyOf } from '../../base/plane.ts';
import { Empty, Row, Rows } from '#page/kit/page/rows.tsx';
import { usePaged } from '../../base/use-paged.ts';
import { creditText } from '../plan/credit-text.ts';
import { PlanDialog } from '../plan/plan-dialog.tsx';

type Organisation = ReplyOf<'GET /api/operator/orgs'>['organisations'][number];

/** Delay after the last keystroke before the search starts, in milliseconds. */
const settleMs = 300;

export function Organisations() {
  const { orgId, reload } = useMembership();
  const { tell } = useShell();
  const [words, setWords] = useState('');
  const q = useSettled(words.trim(), settleMs);
  const [edited, edit] = useState<Organisation>();
  const paged = usePaged(q, async (cursor, signal) => {
    const { organisations, cursor: next } = await call('GET /api/operator/orgs', {
      query: { ...(q === '' ? {} : { q }), ...(cursor === undefined ? {} : { cursor: String(cursor) }) },
      ...(signal ? { signal } : {}),
    });
    return { items: organisations, cursor: next };
  });
  return (
    <PageFrame
      title="Organisations"
      intro="All organisations on this control plane with their plans. Only members of an organisation can see its notes, messages and logs."
      isBusy={paged.isLoading}
    >
      <div className="page-filters">
        <SearchField label="Find an organisation" placeholder="Find by name or e-mail of a member" value={words} onChange={setWords} />
      </div>
      <WhenLoaded loaded={paged} what="organisations">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No organisation matches" />
          ) : (
            <Rows label="Organisations">
              {items.map((org) => (
                <OrganisationRow key={org.id} org={org} onEdit={() => edit(org)} />
              ))}
            </Rows>
          )
        }
      </WhenLoaded>
      <MoreOf paged={paged} />
      {edited && (
        <PlanDialog
          org={edited}
          onClose={() => edit(undefined)}
          onSet={() => {
            edit(undefined);
            tell(`The plan of ${edited.name} is set. It applies within a second.`);
            paged.reload();
            if (edited.id === orgId) reload();
          }}
        />
      )}
    </PageFrame>
  );
}

function OrganisationRow({ org, onEdit }: { readonly org: Organisation; readonly onEdit: () => void }) {
  const { id, name, tier, seats, members, operates, walletCapMicro, walletUsedMicro } = org;
  const wallet =
    walletCapMicro === undefined || walletCapMicro === 0 ? 'no wallet' : `${creditText(walletUsedMicro ?? 0)} of ${creditText(walletCapMicro)} used`;
  return (
    <Row
      title={name}
      badges={
        <>
          <span className="badge">{tierTitles[tier]}</span>
          {operates && <span className="badge accent">operates this control plane</span>}
        </>
      }
      about={
        <>
          {formatCount(members)} of {countOf(seats, 'seat')} used · {wallet}
          <br />
          <code>{id}</code>
        </>
      }
      actions={
        <button type="button" className="button" aria-label={`Change the plan of ${name}`} onClick={onEdit}>
          Change the plan
        </button>
      }
    />
  );
}
