// Renders the retention setting and the integrity check of the audit log.
import { CopyButton } from '#page/kit/copy-button.tsx';
import { countOf } from '#page/kit/page/format.ts';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useShell } from '#page/kit/shell-context.ts';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useMembership } from '../../base/me.ts';
import { call, type ReplyOf } from '../../base/plane.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import '#page/kit/page/form.css';

export function AuditControls() {
  return (
    <>
      <Verification />
      <Retention />
    </>
  );
}

function Verification() {
  const [checked, setChecked] = useState<ReplyOf<'GET /api/team/audit/verify'>>();
  const { isBusy, run } = useAct();
  return (
    <section className="page-section" aria-labelledby="chain-title">
      <h2 id="chain-title">Hash chain</h2>
      <div className="page-card padded stack">
        <p className="muted">
          Each line contains the hash of the previous line, so that a changed or removed line is detected. Store the newest hash elsewhere to detect a rewrite
          of earlier lines.
        </p>
        <div className="page-actions">
          <button type="button" className="button" disabled={isBusy} onClick={() => void run(async () => setChecked(await call('GET /api/team/audit/verify')))}>
            <ShieldCheck size={16} aria-hidden /> {isBusy ? 'Checking…' : 'Check the chain'}
          </button>
        </div>
        {checked && <Outcome checked={checked} />}
      </div>
    </section>
  );
}

function Outcome({ checked: { ok, events, head, brokenAt, why } }: { readonly checked: ReplyOf<'GET /api/team/audit/verify'> }) {
  return (
    <div className={`page-notice audit-outcome ${ok ? 'good' : 'bad'}`} role="status">
      <p>
        {ok ? (
          <>
            <strong>The log is unchanged.</strong> {countOf(events, 'line')}
            {head !== undefined && head !== '' && (
              <>
                ; the newest hash is <code>{head}</code>
              </>
            )}
            .
          </>
        ) : (
          <>
            <strong>The log was changed at line {brokenAt}.</strong> {why} The {countOf(events, 'line')} before it {events === 1 ? 'is' : 'are'} unchanged.
            Export the log, and contact the operator of the database.
          </>
        )}
      </p>
      {ok && head !== undefined && head !== '' && <CopyButton text={() => head} label="Copy hash" />}
    </div>
  );
}

function Retention() {
  const { role } = useMembership();
  const loaded = useLoaded('retention', (signal) => call('GET /api/team/audit/retention', { signal }));
  return (
    <section className="page-section" aria-labelledby="retention-title">
      <h2 id="retention-title">Retention</h2>
      <WhenLoaded loaded={loaded} what="retention">
        {({ days }) =>
          role === 'owner' ? (
            <RetentionForm key={String(days)} days={days} onSaved={loaded.reload} />
          ) : (
            <p className="page-card padded">
              {days === null ? 'All lines are kept indefinitely.' : `Lines are kept for ${countOf(days, 'day')}.`}{' '}
              <span className="muted">Only an owner can change the retention.</span>
            </p>
          )
        }
      </WhenLoaded>
    </section>
  );
}

function RetentionForm({ days, onSaved }: { readonly days: number | null; readonly onSaved: () => void }) {
  const { tell } = useShell();
  const [text, setText] = useState(days === null ? '' : String(days));
  const form = useSentForm(
    () => call('PUT /api/team/audit/retention', { body: { days: text === '' ? null : Number(text) } }),
    () => {
      tell(text === '' ? 'All lines are kept indefinitely.' : `Lines are kept for ${countOf(Number(text), 'day')}.`);
      onSaved();
    },
  );
  return (
    <form className="page-card padded page-form" onSubmit={form.submit}>
      <div className="page-form-pair">
        <TextField
          label="Days"
          type="number"
          inputMode="numeric"
          min={1}
          max={36_500}
          placeholder="Indefinitely"
          hint="Older lines are permanently removed within a day. Leave empty to keep all lines."
          value={text}
          onChange={setText}
        />
      </div>
      <p className="page-form-problem small" role="alert">
        {form.problem}
      </p>
      <div>
        <button type="submit" className="button" disabled={form.isBusy || text === (days === null ? '' : String(days))}>
          {form.isBusy ? 'Saving…' : 'Save'}
        </button>
      </div>
    </form>
  );
}
