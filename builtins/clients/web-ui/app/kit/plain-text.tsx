// Renders text that a decision depends on; characters that would hide or reorder text are shown as code points.
import { splitHidden } from '#lib/hidden-text';
import { t } from './t.ts';

export function PlainText({ text }: { readonly text: string }) {
  const parts = splitHidden(text);
  if (parts.length === 1 && parts[0]?.isHidden === false) return text;
  return parts.map((part, index) =>
    part.isHidden ? (
      <mark key={index} className="plain-text-hidden" title={t('A character that is not visible')}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
