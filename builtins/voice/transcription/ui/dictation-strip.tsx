// Renders the strip below the field during dictation: level, state and actions.
import { RotateCcw, Settings2, Square, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { useFocusHome } from '#page/kit/use-focus-home.ts';
import type { TextField } from '#page/points/contribution.ts';
import type { Dictation, DictationState } from './dictation-state.ts';
import { dictationOf } from './load-dictation.ts';
import { LevelMeter } from './level-meter.tsx';
import { VoiceOptions } from './voice-options.tsx';
import { EngineLine } from './engine-line.tsx';
import { t, table } from '#page/kit/t.ts';
import { quoted } from '#page/kit/short-texts.ts';
import './dictation-strip.css';

interface StripProps {
  readonly state: DictationState;
  readonly field: () => TextField | undefined;
  /** The button beside the field. */
  readonly button: HTMLElement | null;
}

export function DictationStrip({ state, field, button }: StripProps) {
  const client = useClient();
  const [dictation, setDictation] = useState<Dictation>();
  const [hasOptions, showOptions] = useState(false);
  useEffect(() => void dictationOf(client).then(setDictation), [client]);
  const { phase, preview, problem, canRetry = false, heard } = state;
  const isListening = phase === 'starting' || phase === 'recording';
  const isUnderWay = isListening || phase === 'transcribing';
  const { box, goHome } = useFocusHome(field, () => button);
  const act = (work: (dictation: Dictation) => void) => () => {
    goHome();
    void dictationOf(client).then(work);
  };
  return (
    <div ref={box} className="dictation-strip" role="group" aria-label={t('Dictation')} data-phase={phase}>
      <div className="dictation-strip-line">
        {isListening && dictation && <Meter dictation={dictation} />}
        <span className="dictation-strip-words" role={phase === 'failed' ? 'alert' : 'status'}>
          {words[phase] ?? problem ?? ''}
          {heard !== undefined && quoted(heard)}
        </span>
        <span className="dictation-strip-gap" />
        {isListening && (
          <button type="button" className="quiet-button" onClick={act((one) => one.stop())}>
            <Square size={14} aria-hidden /> {t('Done')}
          </button>
        )}
        {canRetry && (
          <button type="button" className="quiet-button" onClick={act((one) => one.again())}>
            <RotateCcw size={14} aria-hidden /> {t('Try again')}
          </button>
        )}
        {heard !== undefined && (
          <button
            type="button"
            className="quiet-button"
            onClick={act((one) => {
              const into = field();
              if (into) one.insert(into);
            })}
          >
            {t('Insert it here')}
          </button>
        )}
        <button type="button" className="quiet-button" onClick={act((one) => one.cancel())} {...(isUnderWay ? { title: t('Esc') } : {})}>
          <X size={14} aria-hidden /> {isUnderWay ? t('Cancel') : t('Close')}
        </button>
        <button
          type="button"
          className="quiet-button"
          aria-expanded={hasOptions}
          aria-label={t('Microphone and pause')}
          onClick={() => showOptions(!hasOptions)}
        >
          <Settings2 size={14} aria-hidden />
        </button>
      </div>
      {preview !== undefined && preview !== '' && (
        <p className="dictation-strip-preview muted" aria-hidden>
          {preview}
        </p>
      )}
      {hasOptions && <VoiceOptions />}
      <EngineLine isPreviewed={isListening} />
    </div>
  );
}

const words: Readonly<Partial<Record<DictationState['phase'], string>>> = table({
  starting: 'Requesting the microphone…',
  recording: 'Listening…',
  transcribing: 'Transcribing…',
  heard: 'The field no longer exists. Transcript:',
});

function Meter({ dictation }: { readonly dictation: Dictation }) {
  return <LevelMeter level={useStore(dictation.level)} />;
}
