// Renders the resizable pane beside the chat.
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { hostOnly } from '../../kit/host-only.tsx';
import { PaneTabs, type PaneProps } from './pane-tabs.tsx';
import { t } from '../../kit/t.ts';

const key = 'pane-width';
/** Width limits and keyboard step of the pane, in pixels. */
const limits = { least: 300, most: 960, step: 32 };

export function PaneSide(props: PaneProps) {
  const side = useRef<HTMLElement>(null);
  const [kept, setKept] = useState(() => Number(localStorage.getItem(key) ?? Number.NaN));
  const width = Number.isFinite(kept) ? clamp(kept) : undefined;
  const widen = (next: number): void => {
    setKept(clamp(next));
    localStorage.setItem(key, String(clamp(next)));
  };
  const now = (): number => side.current?.offsetWidth ?? limits.least;

  function onKeyDown(event: KeyboardEvent): void {
    const towards = isMirrored() ? -limits.step : limits.step;
    const steps: Readonly<Record<string, number>> = { ArrowLeft: towards, ArrowRight: -towards, Home: limits.most, End: -limits.most };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    widen(now() + step);
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const box = side.current?.getBoundingClientRect();
    if (box && event.currentTarget.hasPointerCapture(event.pointerId)) widen(isMirrored() ? event.clientX - box.left : box.right - event.clientX);
  }

  return (
    <aside className="pane" aria-label={t('Side pane')} ref={side} {...(width === undefined ? {} : { style: { width } })}>
      <div
        {...hostOnly}
        className="pane-edge"
        role="separator"
        aria-orientation="vertical"
        aria-label={t('Width of the pane')}
        aria-valuemin={limits.least}
        aria-valuemax={limits.most}
        aria-valuenow={Math.round(width ?? 420)}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
      />
      <PaneTabs {...props} />
    </aside>
  );
}

/** Returns whether the page is laid out from right to left. The pane is on the left in that case. */
const isMirrored = (): boolean => document.documentElement.dir === 'rtl';

function clamp(width: number): number {
  return Math.min(limits.most, Math.max(limits.least, Math.round(width)));
}
