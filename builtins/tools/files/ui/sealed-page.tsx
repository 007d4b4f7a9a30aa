// Renders a page of the workspace in a frame without an origin or network access. Its scripts run only on request.
import { Play, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { t } from '#page/kit/t.ts';

interface Props {
  readonly chatId: string;
  readonly path: string;
  /** Content of the page; changed bytes reload the frame. */
  readonly bytes: Uint8Array;
}

export function SealedPage({ chatId, path, bytes }: Props) {
  const client = useClient();
  const [hasScripts, setScripts] = useState(false);
  const [seen, setSeen] = useState({ bytes, round: 0 });
  if (seen.bytes !== bytes) setSeen({ bytes, round: seen.round + 1 });
  const loaded = useLoaded(`${chatId} ${path} ${hasScripts} ${seen.round}`, async () => {
    const { address } = await client.call('POST /api/workspace/preview', { body: { chatId, path, scripts: hasScripts } });
    return { address, hasScripts };
  });
  return (
    <div className="sealed-page">
      <p className="sealed-page-bar small muted">
        <span>
          {hasScripts
            ? t('Scripts of the file run, isolated from the network and from this page.')
            : t('Displayed without scripts and without network access.')}
        </span>
        <button type="button" className="quiet-button" aria-pressed={hasScripts} onClick={() => setScripts(!hasScripts)}>
          <Play size={14} aria-hidden /> <span>{t('Run scripts')}</span>
        </button>
        <button type="button" className="quiet-button" onClick={loaded.reload}>
          <RefreshCw size={14} aria-hidden /> <span>{t('Reload')}</span>
        </button>
      </p>
      <WhenLoaded loaded={loaded} what={t('preview')}>
        {(shown) => (
          <iframe
            key={shown.address}
            className="sealed-page-frame"
            src={shown.address}
            sandbox={shown.hasScripts ? 'allow-scripts' : ''}
            referrerPolicy="no-referrer"
            title={t('Preview of {path}', { path })}
          />
        )}
      </WhenLoaded>
    </div>
  );
}
