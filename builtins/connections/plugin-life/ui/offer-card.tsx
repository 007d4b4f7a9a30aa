// One plugin as it would be installed: who signed it, what it can do, and its hash.
import type { ReplyOf } from 'agent-harness/client';
import { t, tn } from '#page/kit/t.ts';

export type Offer = ReplyOf<'POST /api/plugins/offers'>;

interface OfferCardProps {
  readonly offer: Offer;
  readonly isBusy: boolean;
  readonly onInstall: () => void;
  readonly onClose: () => void;
}

export function OfferCard({ offer, isBusy, onInstall, onClose }: OfferCardProps) {
  const { name, version, description, resolved, signer, isSameSigner, needs, grown, notes, installed, files, bytes, digest } = offer;
  const size = `${tn(files, '{count} file', '{count} files')}, ${Math.max(1, Math.round(bytes / 1024))} kB`;
  return (
    <section className="browse-plugins-offer" aria-labelledby="browse-plugins-offer-title">
      <h3 id="browse-plugins-offer-title">
        {name} {version}
        {installed && <span className="muted small"> {t('in place of {version}', { version: installed.version })}</span>}
      </h3>
      <p dir="auto">{description}</p>
      <p className="muted small" dir="ltr">
        {resolved}
      </p>
      <p className="muted small">{size}</p>
      <p>{signer === undefined ? t('Nobody signed it.') : t('Signed by {signer}', { signer })}</p>
      {isSameSigner === true && <p className="muted small">{t('The same as before.')}</p>}
      <Sentences title={t('What it can do')} sentences={needs} />
      <Sentences title={t('What it could not do before')} sentences={grown} />
      <Sentences title={t('What to look at first')} sentences={notes} />
      <p className="muted small">
        <code dir="ltr">{`sha256 ${digest}`}</code>
      </p>
      {installed?.isSame === true ? (
        <p>{t('This is what is installed.')}</p>
      ) : (
        <button type="button" className="button primary" disabled={isBusy} onClick={onInstall}>
          {t('Install exactly this')}
        </button>
      )}{' '}
      <button type="button" className="button" onClick={onClose}>
        {t('Cancel')}
      </button>
    </section>
  );
}

/** As the server says them. */
function Sentences({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul dir="auto">
        {sentences.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </>
  );
}
