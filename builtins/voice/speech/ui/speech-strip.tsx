// Renders the playback strip: pause, speed, stop, and a note if another client speaks.
import { AudioLines, Pause, Play, Square, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { useFocusHome } from '#page/kit/use-focus-home.ts';
import { Select } from '#page/kit/page/select.tsx';
import { money } from '#page/kit/short-texts.ts';
import { speechEngineText } from './speech-engine-text.ts';
import { spokenRepliesOf } from './load-spoken-replies.ts';
import { speechStateOf, type SpeechState, type SpokenReplies } from './speech-state.ts';
import { speedTitles, titleOf } from './speed.ts';
import { t } from '#page/kit/t.ts';
import './speech-strip.css';

export function SpeechStrip({ chatId, state }: { readonly chatId: string; readonly state: SpeechState }) {
  const client = useClient();
  const [replies, setReplies] = useState<SpokenReplies>();
  useEffect(() => void spokenRepliesOf(client).then(setReplies), [client]);
  const { now, problem, elsewhere, cost } = state;
  const engine = useEngine();
  const { box, goHome } = useFocusHome(messageField, speechButton);
  return (
    <div ref={box} className="speech-strip" role="group" aria-label={t('Spoken replies')}>
      {now && replies && <Now now={now} replies={replies} cost={cost} />}
      {!now && elsewhere.has(chatId) && (
        <div className="speech-strip-line">
          <AudioLines size={15} aria-hidden />
          <span role="status">{t('Replies of this chat are spoken in another window or program.')}</span>
          <span className="speech-strip-gap" />
          <button
            type="button"
            className="quiet-button"
            onClick={() => {
              goHome();
              void spokenRepliesOf(client).then((one) => one.turn(chatId, true).catch(() => undefined));
            }}
          >
            {t('Speak here')}
          </button>
        </div>
      )}
      {now && engine !== undefined && <p className="muted">{engine}</p>}
      {problem !== undefined && (
        <div className="speech-strip-line">
          <span role="alert" className="speech-strip-problem">
            {problem}
          </span>
          <span className="speech-strip-gap" />
          <button
            type="button"
            className="quiet-button"
            onClick={() => {
              goHome();
              speechStateOf(client).set({ ...state, problem: undefined });
            }}
          >
            <X size={14} aria-hidden /> {t('Close')}
          </button>
        </div>
      )}
    </div>
  );
}

const messageField = (): HTMLElement | null => document.querySelector<HTMLElement>('textarea[name="message"]');
const speechButton = (): HTMLElement | null => document.querySelector<HTMLElement>('.speech-button');

interface NowProps {
  readonly now: NonNullable<SpeechState['now']>;
  readonly replies: SpokenReplies;
  readonly cost: number | undefined;
}

function Now({ now: { text, is }, replies, cost }: NowProps) {
  const speed = useStore(replies.speed);
  const isHeld = is === 'paused' || is === 'blocked';
  return (
    <div className="speech-strip-line">
      <AudioLines size={15} aria-hidden />
      {is === 'blocked' ? (
        <span key="blocked" className="speech-strip-text" role="alert">
          {t('Press Play: the browser requires it before it plays audio.')}
        </span>
      ) : (
        <span key="text" className="speech-strip-text" title={text}>
          {text}
        </span>
      )}
      <span className="speech-strip-gap" />
      {cost !== undefined && <span className="muted">{money(cost)}</span>}
      <Select label={t('Speed')} value={titleOf(speed)} options={speedTitles} onChange={(chosen) => replies.speed.set(Number.parseFloat(chosen))} />
      <button type="button" className="quiet-button" onClick={() => (isHeld ? replies.resume() : replies.pause())}>
        {isHeld ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />} {is === 'blocked' ? t('Play') : isHeld ? t('Resume') : t('Pause')}
      </button>
      <button type="button" className="quiet-button" onClick={() => replies.stop('stop')} title={t('Esc')}>
        <Square size={14} aria-hidden /> {t('Stop speaking')}
      </button>
    </div>
  );
}

/** Describes the engine and the destination of the text. */
function useEngine(): string | undefined {
  const client = useClient();
  const [words, setWords] = useState<string>();
  useEffect(() => {
    const left = new AbortController();
    client.call('GET /api/audio/engines', { signal: left.signal }).then(
      ({ speech }) => setWords(speechEngineText(speech)),
      () => undefined, // speech works without this line
    );
    return () => left.abort();
  }, [client]);
  return words;
}
