// Renders the field for editing a title: Enter or blur saves, Escape cancels.
import { useRef, useState } from 'react';
import { t } from '../kit/t.ts';
import { isComposing } from '../kit/composing.ts';

interface Props {
  readonly title: string;
  readonly onDone: (title: string | undefined) => void;
}

/** Renders the field. Calls `onDone` once; with `undefined` if the title is unchanged. */
export function TitleField({ title, onDone }: Props) {
  const [text, setText] = useState(title);
  const isDone = useRef(false);
  const finish = (next: string | undefined): void => {
    if (isDone.current) return;
    isDone.current = true;
    const trimmed = next?.trim();
    onDone(trimmed === '' || trimmed === title ? undefined : trimmed);
  };
  return (
    <input
      className="field title-field"
      aria-label={t('Title')}
      value={text}
      maxLength={200}
      autoFocus
      spellCheck
      enterKeyHint="done"
      onChange={(event) => setText(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={() => finish(text)}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === 'Enter') finish(text);
        if (event.key === 'Escape') {
          event.stopPropagation();
          finish(undefined);
        }
      }}
    />
  );
}
