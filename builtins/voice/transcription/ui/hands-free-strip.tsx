// Renders the strip of a hands-free conversation: its state, and controls to pause, send and end.
import { Hourglass, RotateCcw, Send, Settings2, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { useFocusHome } from '#page/kit/use-focus-home.ts';
import { EngineLine } from './engine-line.tsx';
import type { HandsFree, HandsFreeState } from './hands-free-state.ts';
import { LevelMeter } from './level-meter.tsx';
import { handsFreeOf } from './load-hands-free.ts';
import { VoiceOptions } from './voice-options.tsx';
import { t, table } from '#page/kit/t.ts';
import './dictation-strip.css';

const words: Readonly<Partial<Record<HandsFreeState['phase'], string>>> = table({
  starting: 'Requesting the microphone…',
  listening: 'Hands-free: start speaking',
  hearing: 'Hands-free: recording; a pause sends it',
  transcribing: 'Hands-free: transcribing…',
});

export function HandsFreeStrip({ state: { phase, preview = '', note, canRetry = false } }: { readonly state: HandsFreeState }) {
  const client = useClient();
  const [handsFree, setHandsFree] = useState<HandsFree>();
  const [hasOptions, showOptions] = useState(false);
  useEffect(() => void handsFreeOf(client).then(setHandsFree), [client]);
  const { box, goHome } = useFocusHome(messageField, handsFreeButton);
  if (!handsFree) return null;
  const act = (work: () => void) => () => {
    goHome();
    work();
  };
  return (
    <div ref={box} className="dictation-strip hands-free-strip" role="group" aria-label={t('Hands-free conversation')} data-phase={phase}>
      <div className="dictation-strip-line">
        {phase !== 'failed' && <Meter handsFree={handsFree} />}
        <span className="dictation-strip-words" role={phase === 'failed' ? 'alert' : 'status'}>
          {words[phase] ?? ''}
          {note !== undefined && <span> {note}</span>}
        </span>
        <span className="dictation-strip-gap" />
        {phase === 'hearing' && (
          <>
            <button type="button" className="quiet-button" onClick={act(() => handsFree.wait())} title={t('Do not send at this pause')}>
              <Hourglass size={14} aria-hidden /> {t('Wait')}
            </button>
            <button type="button" className="quiet-button" onClick={act(() => handsFree.send())}>
              <Send size={14} aria-hidden /> {t('Send now')}
            </button>
          </>
        )}
        {canRetry && (
          <button type="button" className="quiet-button" onClick={act(() => handsFree.again())}>
            <RotateCcw size={14} aria-hidden /> {t('Try again')}
          </button>
        )}
        <button type="button" className="quiet-button" onClick={act(() => handsFree.end())}>
          <X size={14} aria-hidden /> {phase === 'failed' ? t('Close') : t('End')}
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
      {preview !== '' && (
        <p className="dictation-strip-preview muted" aria-hidden>
          {preview}
        </p>
      )}
      {hasOptions && <VoiceOptions />}
      <EngineLine isPreviewed={phase !== 'failed'} />
    </div>
  );
}

const messageField = (): HTMLElement | null => document.querySelector<HTMLElement>('textarea[name="message"]');
const handsFreeButton = (): HTMLElement | null => document.querySelector<HTMLElement>('.hands-free-button');

function Meter({ handsFree }: { readonly handsFree: HandsFree }) {
  return <LevelMeter level={useStore(handsFree.level)} />;
}
