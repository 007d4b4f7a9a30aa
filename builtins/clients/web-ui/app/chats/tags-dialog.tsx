// Renders the dialog for editing the tags of a chat as one line of text.
import { useState, type FormEvent } from 'react';
import { Modal } from '../kit/modal.tsx';
import { t } from '../kit/t.ts';
import { rowOf, splitList } from '../kit/short-texts.ts';

interface Props {
  readonly tags: readonly string[];
  /** `undefined`: unchanged. */
  readonly onAnswer: (tags: string[] | undefined) => void;
}

/** Maximum number of tags and of characters per tag; the server also enforces these. */
const limits = { tags: 20, letters: 40 };

export function TagsDialog({ tags, onAnswer }: Props) {
  const [text, setText] = useState(rowOf(tags));
  const wanted = readTags(text);
  const problem =
    wanted.length > limits.tags
      ? t('At most {tags} tags.', { tags: limits.tags })
      : wanted.some((tag) => tag.length > limits.letters)
        ? t('At most {letters} letters each.', { letters: limits.letters })
        : '';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (problem === '') onAnswer(wanted);
  }
  return (
    <Modal title={t('Tags')} description={t('Words that find this chat, separated by commas.')} onClose={() => onAnswer(undefined)}>
      <form onSubmit={submit}>
        <input
          className="field"
          aria-label={t('Tags')}
          value={text}
          placeholder={t('work, later')}
          autoFocus
          onChange={(event) => setText(event.target.value)}
        />
        <p className="small muted" role="alert">
          {problem}
        </p>
        <div className="modal-actions">
          <button type="button" className="button" onClick={() => onAnswer(undefined)}>
            {t('Cancel')}
          </button>
          <button type="submit" className="button primary" disabled={problem !== ''}>
            {t('Save')}
          </button>
        </div>
      </form>
    </Modal>
  );
}

/** Splits the text into tags. Ignores a `#` before a word. */
export function readTags(text: string): string[] {
  return splitList(text)
    .map((tag) => tag.replace(/^#/, '').trim())
    .filter((tag) => tag !== '');
}
