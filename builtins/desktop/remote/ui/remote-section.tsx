// Renders the remote section of the account page: creating codes, valid codes and guests.
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { CodeCard } from './code-card.tsx';
import { CodeMaker } from './code-maker.tsx';
import { GuestRow } from './guest-row.tsx';
import { useRemote } from './use-remote.ts';
import { t } from '#page/kit/t.ts';

export function RemoteSection() {
  const loaded = useRemote();
  return (
    <section className="page-section" aria-labelledby="remote-title">
      <h2 id="remote-title">{t('Remote sessions')}</h2>
      <WhenLoaded loaded={loaded} what={t('remote sessions')}>
        {({ available, reason, ways, codes, guests }) => (
          <>
            {guests.length > 0 && (
              <ul className="page-card guest-rows">
                {guests.map((guest) => (
                  <GuestRow key={guest.guestId} guest={guest} onChanged={loaded.reload} />
                ))}
              </ul>
            )}
            {codes.map((code) => (
              <div key={code.id} className="page-card padded remote-code-card">
                <CodeCard code={code} onChanged={loaded.reload} />
              </div>
            ))}
            {available ? <CodeMaker ways={ways} onChanged={loaded.reload} /> : <p className="muted">{reason ?? t('The window cannot be shown now.')}</p>}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}
