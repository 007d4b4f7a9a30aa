// Renders one code as text and QR code, with its address, expiry and role.
import { useClient } from '#page/kit/hooks.ts';
import { CopyButton } from '#page/kit/copy-button.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useClock } from '#page/kit/use-clock.ts';
import './code.css';
import { groupedCode, remainingText, wayText } from './viewer-texts.ts';
import type { Code } from './use-remote.ts';
import { t, tn } from '#page/kit/t.ts';

const clockMs = 15_000;

export function CodeCard({ code: one, onChanged }: { readonly code: Code; readonly onChanged: () => void }) {
  const { call } = useClient();
  const act = useAct(onChanged);
  const now = useClock(clockMs);
  const { id, code, role, transport, urls, qr, expiresAt, isShut, guests } = one;
  const [first] = urls;
  return (
    <div className="remote-code">
      {qr !== undefined && !isShut && (
        <div data-guest-hidden="">
          <img className="remote-code-qr" alt={t('QR code of the address')} src={`data:image/svg+xml,${encodeURIComponent(qr)}`} />
        </div>
      )}
      <div className="remote-code-words">
        <p>
          {role === 'view'
            ? t('Anyone with the link sees this window, but cannot control it.')
            : t('Anyone with the link sees this window, and can control it once you allow it.')}{' '}
          <span className="muted">{t('The code works {transport}.', { transport: wayText(transport) })}</span>
        </p>
        {isShut ? (
          <p>{t('It accepts no more devices: it was used, or too many wrong codes were tried.')}</p>
        ) : code === undefined ? (
          <p>{t('The device that created the code shows it. This window hides it while a viewer watches.')}</p>
        ) : (
          <>
            <p>
              {transport === 'lan'
                ? t('Point the camera of the other device at the picture, or open the address there and type the code.')
                : t(
                    'Point the camera of the other device at the picture, or send the link over a channel that you trust: it contains the key, and the code alone is not sufficient.',
                  )}
            </p>
            <p
              className="remote-code-text"
              data-guest-hidden={t('Hidden while a viewer watches this window.')}
              aria-label={t('Code: {code}', { code: [...code].join(' ') })}
            >
              <code>{groupedCode(code)}</code>
            </p>
            <ul className="remote-code-urls" data-guest-hidden="">
              {urls.map((url) => (
                <li key={url}>
                  <code>{url.split('#')[0]}</code>
                </li>
              ))}
            </ul>
          </>
        )}
        <p className="muted small">
          {remainingText(expiresAt, now.getTime())}{' '}
          {guests === 0 ? t('Not used yet.') : tn(guests, '{count} viewer joined with it.', '{count} viewers joined with it.')}
          {transport === 'lan' && ` ${t('The picture is not encrypted in this network.')}`}
        </p>
        <div className="remote-code-buttons">
          {first !== undefined && !isShut && <CopyButton text={() => first} label={t('Copy the link')} />}
          <button
            type="button"
            className="button danger"
            disabled={act.isBusy}
            onClick={() => void act.run(() => call('DELETE /api/remote/:code', { params: { code: id } }), t('The code was revoked.'))}
          >
            {t('Withdraw')}
          </button>
        </div>
      </div>
    </div>
  );
}
