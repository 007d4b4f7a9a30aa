// Renders a fetched plugin before its installation: source, capabilities and hash.
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
  const { name, version, description, resolved, needs, grown, notes, installed, files, bytes, digest } = offer;
  const size = `${tn(files, '{count} file', '{count} files')}, ${Math.max(1, Math.round(bytes / 1024))} kB`;
  return (
    <section className="install-plugin-offer" aria-labelledby="install-plugin-offer-title">
      <h3 id="install-plugin-offer-title">
        {name} {version}
        {installed && <span className="muted small"> {t('replaces {version}', { version: installed.version })}</span>}
      </h3>
      <p dir="auto">{description}</p>
      <p className="muted small" dir="ltr">
        {resolved}
      </p>
      <p className="muted small">{size}</p>
      <Sentences title={t('Capabilities')} sentences={needs} />
      <Sentences title={t('New in this version')} sentences={grown} />
      <Sentences title={t('To review')} sentences={notes} />
      <p className="muted small">
        <code dir="ltr">{`sha256 ${digest}`}</code>
      </p>
      {installed?.isSame === true ? (
        <p>{t('This version is installed.')}</p>
      ) : (
        <button type="button" className="button primary" disabled={isBusy} onClick={onInstall}>
          {t('Install')}
        </button>
      )}{' '}
      <button type="button" className="button" onClick={onClose}>
        {t('Cancel')}
      </button>
    </section>
  );
}

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
