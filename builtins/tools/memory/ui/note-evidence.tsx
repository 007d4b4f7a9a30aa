// Renders the evidence of a note with links to the quoted entries, and an action that deletes all data derived from the chat.
import { PlainText } from '#page/kit/plain-text.tsx';
import type { Note } from './memory-calls.ts';
import { t, table } from '#page/kit/t.ts';

export interface NoteEvidenceProps {
  readonly note: Note;
  readonly onForgetChat: (chatId: string) => void;
}

const classes: Readonly<Record<NonNullable<Note['evidence']>[number]['class'], string>> = table({
  user: 'you',
  workspace: 'a file',
  tool: 'a tool',
  model: 'the agent',
  web: 'external content',
});

export function NoteEvidence({ note: { id, evidence = [] }, onForgetChat }: NoteEvidenceProps) {
  if (evidence.length === 0) return null;
  const chats = [...new Set(evidence.map(({ chatId }) => chatId))];
  return (
    <details className="note-evidence small">
      <summary>{t('Sources')}</summary>
      {evidence.map(({ chatId, entryId, quote, class: origin }) => (
        <blockquote key={`${entryId} ${quote}`} dir="auto">
          <PlainText text={quote} /> <a href={`#/chat/${encodeURIComponent(chatId)}/${encodeURIComponent(entryId)}`}>{classes[origin]}</a>
        </blockquote>
      ))}
      {chats.map((chatId) => (
        <button
          key={chatId}
          type="button"
          className="button bare"
          aria-label={t('Delete all data derived from the chat of {id}', { id })}
          onClick={() => onForgetChat(chatId)}
        >
          {t('Delete all data derived from this chat')}
        </button>
      ))}
    </details>
  );
}
