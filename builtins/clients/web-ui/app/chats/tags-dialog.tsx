// The tags of a chat, as a line of text.
import { useState, type FormEvent } from 'react';
import { Modal } from '../kit/modal.tsx';

interface Props {
  readonly tags: readonly string[];
  /** `undefined`: they stay. */
  readonly onAnswer: (tags: string[] | undefined) => void;
}

/** As the server takes them. */
const limits = { tags: 20, letters: 40 };

export function TagsDialog({ tags, onAnswer }: Props) {
  const [text, setText] = useState(tags.join(', '));
  const wanted = readTags(text);
  const problem =
    wanted.length > limits.tags
      ? `At most ${limits.tags} tags.`
      : wanted.some((tag) => tag.length > limits.letters)
        ? `At most ${limits.letters} letters each.`
        : '';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (problem === '') onAnswer(wanted);
  }
  return (
    <Modal title="Tags" description="Words to find this chat by, with commas between them." onClose={() => onAnswer(undefined)}>
      <form onSubmit={submit}>
        <input className="field" aria-label="Tags" value={text} placeholder="work, later" autoFocus onChange={(event) => setText(event.target.value)} />
        <p className="small muted" role="alert">
          {problem}
        </p>
        <div className="modal-actions">
          <button type="button" className="button" onClick={() => onAnswer(undefined)}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={problem !== ''}>
            Save
          </button>
        </div>
      </form>
    </Modal>
  );
}

/** A `#` before a word means nothing. */
export function readTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim().replace(/^#/, '').trim())
    .filter((tag) => tag !== '');
}
