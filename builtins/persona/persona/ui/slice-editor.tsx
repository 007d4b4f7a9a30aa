// Changes the text of a part where it stands; says so when it was changed elsewhere meanwhile.
import { codeOf } from 'agent-harness/lib/errors';
import { useId, useState, type FormEvent } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import type { Slice } from './persona-calls.ts';

interface SliceEditorProps {
  readonly slice: Slice;
  readonly title: string;
  readonly onChanged: () => void;
  readonly onDone: () => void;
}

export function SliceEditor({ slice, title, onChanged, onDone }: SliceEditorProps) {
  const client = useClient();
  const id = useId();
  // What the person saw when they began, or when they last looked at a newer text.
  const [seen, setSeen] = useState(slice);
  const [text, setText] = useState(slice.text);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await client.call('PUT /api/persona/slices/:name', { params: { name: slice.name }, body: { text, base: seen.revision } });
      onChanged();
      onDone();
    } catch (fault) {
      setProblem(codeOf(fault) === 'conflict' ? 'It was changed meanwhile, so yours was not saved. Your text is still here.' : explainError(fault));
      setBusy(false);
      onChanged();
    }
  }

  function goOn(next: string): void {
    setSeen(slice);
    setText(next);
    setProblem(undefined);
    document.getElementById(id)?.focus();
  }

  return (
    <form className="persona-editor" onSubmit={(event) => void submit(event)} onKeyDown={(event) => event.key === 'Escape' && onDone()}>
      <label htmlFor={id} className="visually-hidden">
        Text of {title}
      </label>
      <textarea
        id={id}
        className="field"
        rows={Math.min(14, Math.max(4, text.split('\n').length + 1))}
        maxLength={4_000}
        value={text}
        autoFocus
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => setText(event.target.value)}
      />
      <p id={`${id}-problem`} className="persona-problem small" role="alert">
        {problem}
      </p>
      {slice.revision !== seen.revision && (
        <div className="persona-outside small" role="status">
          <p>
            <strong>It says now:</strong> <span className="persona-text">{slice.text}</span>
          </p>
          <div className="persona-part-buttons">
            <button type="button" className="button" onClick={() => goOn(text)}>
              Keep my text
            </button>
            <button type="button" className="button" onClick={() => goOn(slice.text)}>
              Take the newer text
            </button>
          </div>
        </div>
      )}
      <div className="persona-part-buttons">
        <button type="submit" className="button primary" disabled={isBusy || text === slice.text}>
          {isBusy ? 'Saving…' : 'Save'}
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  );
}
