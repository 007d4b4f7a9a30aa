// Renders a button beside selected words that explains them; its shortcut also works for the focused message, call or chat.
import { CircleQuestionMark } from 'lucide-react';
import { use, useEffect, useState } from 'react';
import { isAltKey } from '#page/kit/alt-key.ts';
import { ChatContext, readRoute } from '#page/kit/hooks.ts';
import type { CardAnchor } from '#page/kit/page/anchored-card.tsx';
import { t } from '#page/kit/t.ts';
import { aboutOf, placeOf, readSelectedText, type SelectedText } from './selected-text.ts';
import { askWhy, openWhy, type WhyQuery } from './why-card.tsx';
import './why-at-words.css';

/** Distances in pixels: `mouse` from the words, `finger` from the selection handles, `edge` from the window edge. */
const gaps = { mouse: 6, finger: 28, edge: 8 };
const size = { width: 110, height: 48 };

export function ExplainSelection() {
  const chatId = use(ChatContext)?.chatId;
  const [words, hide] = useSelectedWords();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.repeat || !isAltKey(event, 'w')) return;
      const selected = readSelectedText();
      const query = queryOf(selected, chatId);
      if (query === undefined) return;
      event.preventDefault();
      askWhy(query, selected ? anchorAt(selected.rect) : (placeOf(document.activeElement) ?? document.body));
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [chatId]);
  const query = words && queryOf(words, chatId);
  if (!words || query === undefined) return null;

  const { rect } = words;
  function ask(): void {
    if (query) askWhy(query, anchorAt(rect));
    hide();
  }

  return (
    <aside className="why-at-words" style={placeAt(rect)} aria-label={t('Selected text')}>
      <button type="button" className="button" aria-keyshortcuts="Alt+W" onMouseDown={(event) => event.preventDefault()} onClick={ask}>
        <CircleQuestionMark size={16} aria-hidden />
        <span>{t('Why?')}</span>
      </button>
    </aside>
  );
}

/** Returns an anchor at the position that the words had when the card was opened. */
const anchorAt = (rect: DOMRect): CardAnchor => ({ getBoundingClientRect: () => rect });

/** Returns the selected words, unless the user is still selecting. */
function useSelectedWords(): readonly [SelectedText | undefined, () => void] {
  const [words, setWords] = useState<SelectedText>();
  useEffect(() => {
    let isPressed = false;
    let frame = 0;
    const look = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setWords(isPressed ? undefined : readSelectedText()));
    };
    const press = ({ target }: PointerEvent): void => {
      isPressed = !(target instanceof Element && target.closest('.why-at-words'));
    };
    const release = (): void => {
      isPressed = false;
      look();
    };
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener('selectionchange', look, { signal });
    document.addEventListener('pointerdown', press, { signal, capture: true });
    for (const kind of ['pointerup', 'pointercancel'] as const) document.addEventListener(kind, release, { signal, capture: true });
    addEventListener('scroll', () => getSelection()?.isCollapsed === false && look(), { signal, capture: true, passive: true });
    for (const kind of ['resize', 'hashchange'] as const) addEventListener(kind, look, { signal });
    return () => {
      ending.abort();
      cancelAnimationFrame(frame);
    };
  }, []);
  return [words, () => setWords(undefined)];
}

/** Returns the query for the selected words; without a selection, for the focused element. */
function queryOf(words: SelectedText | undefined, shown: string | undefined): WhyQuery | undefined {
  const { page, id, query } = readRoute(location.hash);
  const own = openWhy() ?? (page === 'view' && id === 'why' ? query : undefined);
  const chat = own?.['chat'] ?? shown;
  if (chat === undefined || (!words && own)) return undefined;
  const place = words ? undefined : placeOf(document.activeElement);
  // A prompt section belongs to its turn.
  const [, turn] = /^section (\S+)/.exec(own?.['about'] ?? '') ?? [];
  const about = turn === undefined ? (words?.about ?? (place ? aboutOf(place) : '')) : `turn ${turn}`;
  return { chat, ...(words ? { text: words.text } : {}), ...(about === '' ? {} : { about }) };
}

/** Returns a position below the words, or above them if there is no space below; always inside the window. */
function placeAt({ left, top, bottom }: DOMRect): { readonly left: number; readonly top: number } {
  const gap = matchMedia('(pointer: coarse)').matches ? gaps.finger : gaps.mouse;
  const hasRoom = bottom + gap + size.height < innerHeight;
  return {
    left: Math.min(Math.max(gaps.edge, left), innerWidth - size.width - gaps.edge),
    top: Math.max(gaps.edge, hasRoom ? bottom + gap : top - gap - size.height),
  };
}
