// What indexes list and what any source has: looked at first, installed by a yes for exactly that.
import { useState, type FormEvent } from 'react';
import type { ReplyOf } from 'agent-harness/client';
import { useClient } from '#page/kit/hooks.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { t } from '#page/kit/t.ts';
import { OfferCard, type Offer } from './offer-card.tsx';
import '#page/kit/page/form.css';
import './browse-plugins.css';

type Listing = ReplyOf<'GET /api/plugins/index'>;

/** The same in every language. */
const forms = 'npm:name, git:https://…, /path/pack.tgz';

export function BrowsePlugins() {
  const client = useClient();
  const { tell } = useShell();
  const [source, setSource] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [offer, setOffer] = useState<Offer>();
  const loaded = useLoaded('plugin-index', (signal) => client.call('GET /api/plugins/index', { signal }));

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
      loaded.reload();
    });
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (source.trim() !== '') look(source.trim());
  }

  return (
    <section className="page-card browse-plugins" aria-labelledby="browse-plugins-title" aria-busy={isBusy}>
      <h2 id="browse-plugins-title">{t('Plugins of others')}</h2>
      <p className="muted small">{t('Nothing is installed before you have agreed to exactly what is shown.')}</p>
      <form className="browse-plugins-form" onSubmit={submit}>
        <label htmlFor="browse-plugins-source">{t('Where it comes from')}</label>
        <input
          id="browse-plugins-source"
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
          {t('Look at it')}
        </button>
      </form>
      {offer && <OfferCard offer={offer} isBusy={isBusy} onInstall={() => install(offer)} onClose={() => setOffer(undefined)} />}
      <WhenLoaded loaded={loaded} what={t('plugins')}>
        {(listing) => <Listed listing={listing} isBusy={isBusy} onLook={look} />}
      </WhenLoaded>
    </section>
  );
}

interface ListedProps {
  readonly listing: Listing;
  readonly isBusy: boolean;
  readonly onLook: (name: string) => void;
}

function Listed({ listing: { plugins, faults, hasIndex }, isBusy, onLook }: ListedProps) {
  if (!hasIndex) return <p className="muted small">{t('No index of plugins is set. The settings have a field for them: Indexes of plugins.')}</p>;
  return (
    <>
      {faults.map((fault) => (
        <p key={fault} className="small" dir="auto" role="alert">
          {fault}
        </p>
      ))}
      <ul className="browse-plugins-list">
        {plugins.map(({ name, version, published, description, index, installed }) => (
          <li key={name}>
            <span>
              <strong>{name}</strong> {version}
              <span className="muted small" dir="auto">
                {description}
              </span>
              <span className="muted small">
                {[index, formatTime(published), ...(installed === undefined ? [] : [t('installed: {version}', { version: installed })])].join(' · ')}
              </span>
            </span>
            <button type="button" className="button" disabled={isBusy} onClick={() => onLook(name)}>
              {t('Look at {name}', { name })}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
