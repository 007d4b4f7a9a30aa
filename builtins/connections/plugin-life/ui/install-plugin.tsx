// The form that installs a plugin from a source: shows the offer first, and installs exactly what was shown.
import { useState, type FormEvent } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { t } from '#page/kit/t.ts';
import { OfferCard, type Offer } from './offer-card.tsx';
import '#page/kit/page/form.css';
import './install-plugin.css';

/** The same in every language. */
const forms = 'npm:name, git:https://…, /path/plugin.tgz';

export function InstallPlugin() {
  const client = useClient();
  const { tell } = useShell();
  const [source, setSource] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [offer, setOffer] = useState<Offer>();

  async function whileBusy(work: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      tell(explainError(error), 'bad');
    } finally {
      setBusy(false);
    }
  }
  const look = (wanted: string): void =>
    void whileBusy(async () => {
      setOffer(undefined);
      setOffer(await client.call('POST /api/plugins/offers', { body: { source: wanted } }));
    });
  const install = ({ id, digest, name }: Offer): void =>
    void whileBusy(async () => {
      await client.call('POST /api/plugins/offers/:id', { params: { id }, body: { digest } });
      setOffer(undefined);
      tell(t('{name} is installed.', { name }));
    });
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (source.trim() !== '') look(source.trim());
  }

  return (
    <section className="page-card install-plugin" aria-labelledby="install-plugin-title" aria-busy={isBusy}>
      <h2 id="install-plugin-title">{t('Install a plugin')}</h2>
      <p className="muted small">{t('The plugin is shown first. Nothing is installed without your approval.')}</p>
      <form className="install-plugin-form" onSubmit={submit}>
        <label htmlFor="install-plugin-source">{t('Source')}</label>
        <input
          id="install-plugin-source"
          className="field"
          dir="ltr"
          value={source}
          placeholder={forms}
          autoComplete="off"
          spellCheck={false}
          maxLength={2_000}
          onChange={(event) => setSource(event.target.value)}
        />
        <button type="submit" className="button" disabled={isBusy || source.trim() === ''}>
          {t('Show')}
        </button>
      </form>
      {offer && <OfferCard offer={offer} isBusy={isBusy} onInstall={() => install(offer)} onClose={() => setOffer(undefined)} />}
    </section>
  );
}
