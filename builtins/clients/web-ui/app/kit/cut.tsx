// Shows the beginning of long content, and all of it on request.
import { useStoredState } from './stored-state.ts';
import { cutText, type Limits } from './cut-text.ts';
import { t } from './t.ts';

export interface Cut {
  readonly text: string;
  /** Button that shows the rest; nothing if everything is already shown. */
  readonly more: React.ReactNode;
}

/** @param id key under which the choice is stored */
export function useCut(id: string, whole: string, limits: Limits, words = t('Show all')): Cut {
  const [isAll, setAll] = useStoredState(`all:${id}`, false);
  const cut = cutText(whole, limits);
  if (!cut.isCut) return { text: whole, more: null };
  if (isAll) return { text: whole, more: <MoreButton label={t('Show less')} onClick={() => setAll(false)} /> };
  return { text: cut.text, more: <MoreButton label={`${words} (${cut.rest})`} onClick={() => setAll(true)} /> };
}

export function MoreButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="quiet-button more-button" onClick={onClick}>
      {label}
    </button>
  );
}
