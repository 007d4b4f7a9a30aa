// Before anything was said.
import { t } from '../../kit/t.ts';

export function EmptyTranscript({ isLoaded }: { readonly isLoaded: boolean }) {
  if (!isLoaded) return <p className="empty-transcript muted">{t('Reading the conversation…')}</p>;
  return (
    <div className="empty-transcript">
      <p className="empty-transcript-title">{t('What shall we do?')}</p>
      <p className="muted">{t('Ask for a change, a search or an explanation. Drop files here, or type / for commands.')}</p>
    </div>
  );
}
