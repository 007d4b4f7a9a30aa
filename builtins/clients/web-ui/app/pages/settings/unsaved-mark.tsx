// Says beside the link to the settings that some changes are not saved.
import { useDrafts } from './kept-drafts.ts';
import { t } from '../../kit/t.ts';
import './unsaved-mark.css';

export function UnsavedMark() {
  if (useDrafts().size === 0) return null;
  return (
    <span className="unsaved-mark" title={t('Changes that are not saved')}>
      <span className="visually-hidden">, {t('changes that are not saved')}</span>
    </span>
  );
}
