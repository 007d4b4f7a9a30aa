// Renders the history of a section: the changes of each version, and a button that restores a version.
import { useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { Difference } from './difference.tsx';
import { changeOf, type Slice, type Version } from './persona-calls.ts';
import { t } from '#page/kit/t.ts';

interface SliceHistoryProps {
  readonly slice: Slice;
  readonly title: string;
  readonly onChanged: () => void;
}

export function SliceHistory({ slice: { name, revision, text }, title, onChanged }: SliceHistoryProps) {
  const client = useClient();
  const loaded = useLoaded(`history ${name} ${revision}`, (signal) => client.call('GET /api/persona/slices/:name/history', { params: { name }, signal }));
  const { isBusy, run } = useAct(onChanged);
  const bringBack = (version: number): void =>
    void run(
      () => client.call('POST /api/persona/slices/:name/revert', { params: { name }, body: { version } }),
      t('{title} was restored to version {version}.', { title, version }),
    );
  return (
    <WhenLoaded loaded={loaded} what={t('history')}>
      {({ versions }) => (
        <ol className="persona-history" aria-label={t('Versions of {title}, newest first', { title })}>
          {versions.map((version, at) => (
            <VersionRow
              key={version.version}
              version={version}
              before={versions[at + 1]?.text ?? ''}
              isCurrent={version.text === text}
              isBusy={isBusy}
              onBringBack={() => bringBack(version.version)}
            />
          ))}
        </ol>
      )}
    </WhenLoaded>
  );
}

interface VersionRowProps {
  readonly version: Version;
  /** The text before this version. */
  readonly before: string;
  readonly isCurrent: boolean;
  readonly isBusy: boolean;
  readonly onBringBack: () => void;
}

function VersionRow({ version, before, isCurrent, isBusy, onBringBack }: VersionRowProps) {
  const [isOpen, open] = useState(false);
  const number = version.version;
  return (
    <li>
      <div className="persona-part-head">
        <p className="small">
          <strong>{t('Version {number}', { number })}</strong> {isCurrent && <span className="badge good">{t('active')}</span>}
          <br />
          <span className="muted">
            {version.why === '' ? changeOf(version) : version.why}, <RelativeTime at={version.at} />
          </span>
        </p>
        <div className="persona-part-buttons">
          <button
            type="button"
            className="button"
            aria-expanded={isOpen}
            aria-label={t('Changes in version {number}', { number })}
            onClick={() => open(!isOpen)}
          >
            {t('Changes')}
          </button>
          {!isCurrent && (
            <button type="button" className="button" disabled={isBusy} aria-label={t('Restore version {number}', { number })} onClick={onBringBack}>
              {t('Restore')}
            </button>
          )}
        </div>
      </div>
      {isOpen && <Difference before={before} after={version.text} id={`version ${number}`} />}
    </li>
  );
}
