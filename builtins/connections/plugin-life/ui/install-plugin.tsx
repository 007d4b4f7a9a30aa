// Renders the dialog that fetches a plugin, shows it for review, and installs exactly the fetched files.
import { useState, type FormEvent } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { Modal } from '#page/kit/modal.tsx';
import { useShell } from '#page/kit/shell-context.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { t } from '#page/kit/t.ts';
import { OfferCard, type Offer } from './offer-card.tsx';
import '#page/kit/page/form.css';
import './install-plugin.css';

/** Source formats; not translated. */
const forms = 'npm:name, git:https://…, /path/plugin.tgz';

export function InstallPlugin() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {t('Install…')}
      </button>
      {isOpen && <InstallDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function InstallDialog({ onClose }: { readonly onClose: () => void }) {
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
      tell(t('{name} was installed.', { name }));
      onClose();
    });
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (source.trim() !== '') look(source.trim());
  }

  return (
    <Modal title={t('Install a plugin')} description={t('The plugin is shown first. Nothing is installed without your approval.')} onClose={onClose}>
      <form className="install-plugin-form" onSubmit={submit} aria-busy={isBusy}>
        <input
          className="field"
          aria-label={t('Source')}
          dir="ltr"
          value={source}
          placeholder={forms}
          autoComplete="off"
          autoFocus
          spellCheck={false}
          maxLength={2_000}
          onChange={(event) => setSource(event.target.value)}
        />
        <button type="submit" className="button" disabled={isBusy || source.trim() === ''}>
          {t('Show')}
        </button>
      </form>
      {offer && <OfferCard offer={offer} isBusy={isBusy} onInstall={() => install(offer)} onClose={() => setOffer(undefined)} />}
    </Modal>
  );
}
