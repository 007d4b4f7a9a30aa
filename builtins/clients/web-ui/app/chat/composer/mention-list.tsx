// Renders the list of matching mentions. The text field keeps the focus and references the selected mention.
import { useEffect, useRef } from 'react';
import type { MentionChoice, OfferedMention } from './use-mentions.ts';
import { t } from '../../kit/t.ts';
import './command-list.css';

export const mentionListId = 'composer-mentions';
export const mentionId = (index: number): string => `composer-mention-${index}`;

export function MentionList({ choice, onPick }: { readonly choice: MentionChoice; readonly onPick: (mention: OfferedMention) => void }) {
  const { shown, active } = choice;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <ul ref={list} id={mentionListId} className="command-list" role="listbox" aria-label={t('Mentions')}>
      {shown.map((mention, index) => (
        <li
          key={`${mention.kind} ${mention.insert}`}
          id={mentionId(index)}
          role="option"
          aria-selected={index === active}
          className="command-option mention-option"
          // Focus must stay in the text field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(mention)}
        >
          <span className="mention-text">{mention.text}</span>
          {mention.hint !== undefined && <span className="muted small mention-hint">{mention.hint}</span>}
          <span className="muted small">{t(mention.kind)}</span>
        </li>
      ))}
    </ul>
  );
}
