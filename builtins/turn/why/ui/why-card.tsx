// Renders an explanation in a card beside its subject; links open in the card, so that the chat stays visible.
import { Suspense, useMemo, type MouseEvent } from 'react';
import { readRoute, useStore } from '#page/kit/hooks.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { CardAnchor } from '#page/kit/page/anchored-card.tsx';
import { t } from '#page/kit/t.ts';
import { createValue } from '#page/kit/value-store.ts';

const ViewPanel = lazyPart(async () => (await import('#page/kit/view/view-panel.tsx')).ViewPanel);
const AnchoredCard = lazyPart(async () => (await import('#page/kit/page/anchored-card.tsx')).AnchoredCard);

/** Values of the view's parameters `about`, `text` and `chat`. */
export type WhyQuery = Readonly<Record<string, string>>;

const asked = createValue<{ readonly query: WhyQuery; readonly anchor: CardAnchor } | undefined>(undefined);

/** Opens the card at the element that was pressed or selected. */
export function askWhy(query: WhyQuery, anchor: CardAnchor): void {
  // Clears the selection, so that the next question has another subject.
  getSelection()?.removeAllRanges();
  asked.set({ query, anchor });
}

/** Returns the subject of the open card; `undefined` if no card is open. */
export function openWhy(): WhyQuery | undefined {
  return asked.get()?.query;
}

export function WhyCard() {
  const now = useStore(asked);
  const place = now?.anchor;
  const anchor = useMemo(() => ({ current: place ?? null }), [place]);
  if (!now) return null;
  const close = (): void => asked.set(undefined);

  function follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    if (!link || !now || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { page, id, query = {} } = readRoute(link.getAttribute('href') ?? '');
    if (page !== 'view' || id !== 'why') return close();
    event.preventDefault();
    asked.set({ ...now, query });
  }

  return (
    <Suspense>
      <AnchoredCard label={t('Why?')} anchor={anchor} isWide onClose={close}>
        <div onClickCapture={follow}>
          <Suspense>
            <ViewPanel name="why" given={now.query} />
          </Suspense>
        </div>
      </AnchoredCard>
    </Suspense>
  );
}
