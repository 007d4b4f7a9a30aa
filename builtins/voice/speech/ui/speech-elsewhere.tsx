// Renders the speech controls on pages without a chat, where speech continues.
import { AudioLines, Play, Square } from 'lucide-react';
import { useClient } from '#page/kit/hooks.ts';
import { useFocusHome } from '#page/kit/use-focus-home.ts';
import { spokenRepliesOf } from './load-spoken-replies.ts';
import type { SpeechState } from './speech-state.ts';
import { t } from '#page/kit/t.ts';
import './speech-elsewhere.css';

export function SpeechElsewhere({ now: { text, is } }: { readonly now: NonNullable<SpeechState['now']> }) {
  const client = useClient();
  const { box } = useFocusHome(() => document.querySelector('main'));
  const isBlocked = is === 'blocked';
  return (
    <div ref={box} className="speech-elsewhere" role="group" aria-label={t('Spoken replies')}>
      <AudioLines size={15} aria-hidden />
      <span className="speech-elsewhere-text" title={text}>
        {text}
      </span>
      {isBlocked && (
        <button type="button" className="quiet-button" onClick={() => void spokenRepliesOf(client).then((one) => one.resume())}>
          <Play size={14} aria-hidden /> {t('Play')}
        </button>
      )}
      <button type="button" className="quiet-button" title={t('Esc')} onClick={() => void spokenRepliesOf(client).then((one) => one.stop('stop'))}>
        <Square size={14} aria-hidden /> {t('Stop speaking')}
      </button>
    </div>
  );
}
