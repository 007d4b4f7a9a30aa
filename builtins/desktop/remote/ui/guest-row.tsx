// Renders one guest with the user's actions.
import { useClient } from '#page/kit/hooks.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import './guest-row.css';
import { roleText } from './viewer-texts.ts';
import type { Guest } from './use-remote.ts';
import { t } from '#page/kit/t.ts';

export function GuestRow({ guest, onChanged }: { readonly guest: Guest; readonly onChanged: () => void }) {
  const { call } = useClient();
  const act = useAct(onChanged);
  const { guestId, name, address, role, since, mayControl, mayDecide, transport, words } = guest;
  const change = (body: { allow?: boolean; mayDecide?: boolean }): void =>
    void act.run(() => call('POST /api/remote/guests/:id', { params: { id: guestId }, body }));
  return (
    <li className="guest-row">
      <p className="guest-row-words">
        <b>{name}</b> {roleText({ role, mayControl, mayDecide })}
        <span className="guest-row-where">
          {t('{state}, since {since}', { state: transport === 'cloud' ? t('through the relay') : address, since: formatTime(since) })}
          {words !== undefined && !mayControl && <>; {t('it shows: {words}', { words })}</>}
        </span>
      </p>
      {role === 'control' && (
        <button type="button" className="button" disabled={act.isBusy} onClick={() => change({ allow: !mayControl })}>
          {mayControl ? t('Stop control') : t('Allow control')}
          <span className="visually-hidden"> {t('of {name}', { name })}</span>
        </button>
      )}
      {role === 'control' && mayControl && (
        <button type="button" className="button" disabled={act.isBusy} onClick={() => change({ mayDecide: !mayDecide })}>
          {mayDecide ? t('Stop deciding') : t('Let decide')}
          <span className="visually-hidden"> {name}</span>
        </button>
      )}
      <button
        type="button"
        className="button danger"
        disabled={act.isBusy}
        onClick={() => void act.run(() => call('DELETE /api/remote/guests/:id', { params: { id: guestId } }))}
      >
        {t('End')}
        <span className="visually-hidden"> {t('the session of {name}', { name })}</span>
      </button>
    </li>
  );
}
