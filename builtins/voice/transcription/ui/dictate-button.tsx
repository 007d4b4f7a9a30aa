// Renders the microphone button beside a text field. The user holds it, or taps to start and stop; the keyboard also works.
import { Mic } from 'lucide-react';
import { Suspense, use, useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent, type TouchEvent } from 'react';
import { isAltKey } from '#page/kit/alt-key.ts';
import { ChatContext, useClient, useStore } from '#page/kit/hooks.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { useSelected } from '#page/kit/use-selected.ts';
import type { TextField } from '#page/points/contribution.ts';
import { dictationStateOf, type DictationState } from './dictation-state.ts';
import { dictationOf } from './load-dictation.ts';
import { t } from '#page/kit/t.ts';
import './dictate-button.css';

const Strip = lazyPart(async () => (await import('./dictation-strip.tsx')).DictationStrip);

export function DictateButton({ field }: { readonly field: () => TextField | undefined }) {
  const client = useClient();
  const isOn = useSelected(client.connection, ({ config }) => config?.transcribeEnabled === true);
  return isOn ? <Button field={field} /> : null;
}

function Button({ field }: { readonly field: () => TextField | undefined }) {
  const client = useClient();
  const chatId = use(ChatContext)?.chatId;
  const state = useStore(dictationStateOf(client));
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  /** Ignores the click that follows a press that was already handled. */
  const wasPressed = useRef(false);
  const isOwn = isOwnOf(anchor, state);
  const isRecording = isOwn && (state.phase === 'recording' || state.phase === 'starting');

  function press(at: number): void {
    const into = field();
    if (into) void dictationOf(client).then((dictation) => dictation.press(into, at, chatId));
  }

  function release(at: number): void {
    void dictationOf(client).then((dictation) => dictation.release(at));
  }

  function onPointerDown(event: PointerEvent<HTMLButtonElement>): void {
    if (event.button !== 0) return;
    // Keeps the position of the caret, and keeps a phone's on-screen keyboard open.
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    wasPressed.current = true;
    press(event.timeStamp);
  }

  /** Prevents the click, because the layout has moved since the press and the click would hit another element. */
  function onTouchEnd(event: TouchEvent): void {
    event.preventDefault();
    wasPressed.current = false;
  }

  function onPointerCancel(event: PointerEvent): void {
    wasPressed.current = false;
    release(event.timeStamp);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    if (!event.repeat) press(event.timeStamp);
  }

  function onClick(event: MouseEvent): void {
    if (!wasPressed.current) {
      // Assistive technology presses the button without pointer events.
      press(event.timeStamp);
      release(event.timeStamp);
    }
    wasPressed.current = false;
  }

  useVoiceKey(field, press, release);
  // Stops the recording when the field disappears; the text stays available.
  useEffect(
    () => () => {
      const { phase, field: into } = dictationStateOf(client).get();
      if ((phase === 'starting' || phase === 'recording') && into?.isConnected === false) void dictationOf(client).then((dictation) => dictation.stop());
    },
    [client],
  );
  return (
    <>
      <button
        ref={setAnchor}
        type="button"
        className="button bare icon dictate-button"
        aria-label={isRecording ? t('End dictation') : t('Dictate')}
        aria-keyshortcuts="Alt+V"
        aria-pressed={isRecording}
        title={isRecording ? t('End dictation (Alt+V)') : t('Dictate: hold, or tap to start and to stop (Alt+V)')}
        onPointerDown={onPointerDown}
        onPointerUp={(event) => release(event.timeStamp)}
        onPointerCancel={onPointerCancel}
        onTouchEnd={onTouchEnd}
        onKeyDown={onKeyDown}
        onKeyUp={(event) => (event.key === ' ' || event.key === 'Enter') && release(event.timeStamp)}
        onClick={onClick}
        onContextMenu={(event) => event.preventDefault()}
      >
        <Mic size={18} aria-hidden />
      </button>
      {isOwn && state.phase !== 'idle' && (
        <Suspense>
          <Strip state={state} field={field} button={anchor} />
        </Suspense>
      )}
    </>
  );
}

/** Returns whether the dictation belongs to the field beside this button. If the field was removed, the dictation belongs to the message field. */
function isOwnOf(anchor: HTMLElement | null, { phase, field }: DictationState): boolean {
  const box = anchor?.closest('.field-tools');
  if (!box) return false;
  const isLost = phase === 'heard' || field?.isConnected === false;
  return isLost ? box.querySelector('textarea[name="message"]') !== null : field !== undefined && box.contains(field);
}

/** Handles Alt+V for the focused field; if no field has the focus, for the message field. */
function useVoiceKey(field: () => TextField | undefined, press: (at: number) => void, release: (at: number) => void): void {
  const isHeld = useRef(false);
  const isMeant = (): boolean => {
    const own = field();
    const { activeElement } = document;
    if (own === undefined) return false;
    return activeElement === own || (own.name === 'message' && !isField(activeElement) && document.querySelector('[role="dialog"]') === null);
  };
  const onDown = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (!isVoiceKey(event) || !isMeant()) return;
    event.preventDefault();
    if (event.repeat) return;
    isHeld.current = true;
    press(event.timeStamp);
  });
  const onUp = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (!isHeld.current || (event.code !== 'KeyV' && event.key !== 'Alt')) return;
    isHeld.current = false;
    release(event.timeStamp);
  });
  useEffect(() => {
    const down = (event: globalThis.KeyboardEvent): void => onDown(event);
    const up = (event: globalThis.KeyboardEvent): void => onUp(event);
    addEventListener('keydown', down);
    addEventListener('keyup', up);
    return () => {
      removeEventListener('keydown', down);
      removeEventListener('keyup', up);
    };
  }, []);
}

const isField = (element: Element | null): boolean => element !== null && /^(?:INPUT|TEXTAREA|SELECT)$/.test(element.tagName);

const isVoiceKey = (event: globalThis.KeyboardEvent): boolean => isAltKey(event, 'v');
