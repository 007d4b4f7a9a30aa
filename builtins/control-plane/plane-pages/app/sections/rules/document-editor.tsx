// Edits a document of the organisation: as a form or as JSON, with what would change before it does, and the way back to what it was.
import { Choices } from '#page/kit/page/choices.tsx';
import { detailsOf, explainError } from '#page/kit/page/explain-error.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { codeOf } from 'agent-harness/lib/errors';
import { Suspense, useId, useState, type ComponentType, type ReactNode } from 'react';
import { parseDocument } from './parse-document.ts';

const Difference = lazyPart(async () => (await import('./difference.tsx')).Difference);

export interface Version<T> {
  readonly revision: number;
  readonly document: T;
  readonly by?: string | undefined;
  /** ISO 8601. */
  readonly at?: string | undefined;
}

export interface DocumentEditorProps<T> {
  readonly current: Version<T>;
  readonly mayWrite: boolean;
  /** The fields that people know by name. */
  readonly Form: ComponentType<{ readonly value: T; readonly onChange: (value: T) => void; readonly isReadOnly: boolean }>;
  /** Rejects with `revision_conflict` where somebody else was faster. */
  save(base: number, document: T): Promise<unknown>;
  /** What stands between the fields and the button: whom the change touches. */
  readonly preview?: (document: T) => ReactNode;
  readonly onSaved: () => void;
}

type View = 'form' | 'json';

/** Contract: another revision gets another key. */
export function DocumentEditor<T extends object>({ current, mayWrite, Form, save, preview, onSaved }: DocumentEditorProps<T>) {
  const { tell } = useShell();
  const id = useId();
  const [view, setView] = useState<View>('form');
  const [draft, setDraft] = useState(current.document);
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const parsed = text === undefined ? { value: draft } : parseDocument<T>(text);
  const before = JSON.stringify(current.document, null, 2);
  const after = parsed.value === undefined ? before : JSON.stringify(parsed.value, null, 2);
  const isChanged = before !== after;

  function change(next: View): void {
    if (next === 'json') setText(JSON.stringify(draft, null, 2));
    else if (parsed.value !== undefined) {
      setDraft(parsed.value);
      setText(undefined);
    } else return;
    setView(next);
  }

  async function publish(): Promise<void> {
    if (parsed.value === undefined) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await save(current.revision, parsed.value);
      tell('Published. It reaches connected services within seconds.');
      onSaved();
    } catch (error) {
      const { revision } = detailsOf(error);
      setProblem(
        codeOf(error) === 'revision_conflict'
          ? `Somebody published revision ${typeof revision === 'number' ? revision : 'another one'} meanwhile. Copy what you need, load the page again, and repeat it.`
          : explainError(error),
      );
      setBusy(false);
    }
  }

  return (
    <div className="stack">
      <Choices legend="How to edit" value={view} options={{ form: 'Form', json: 'JSON' }} onChange={change} />
      {view === 'form' ? (
        <Form value={draft} onChange={setDraft} isReadOnly={!mayWrite} />
      ) : (
        <div className="page-form-field">
          <label htmlFor={id} className="visually-hidden">
            Document as JSON
          </label>
          <textarea
            id={id}
            className="field code-field"
            rows={Math.min(28, Math.max(10, (text ?? '').split('\n').length + 1))}
            spellCheck={false}
            readOnly={!mayWrite}
            value={text ?? ''}
            aria-invalid={parsed.problem !== undefined}
            aria-describedby={`${id}-problem`}
            onChange={(event) => setText(event.target.value)}
          />
          <p id={`${id}-problem`} className="page-form-problem small">
            {parsed.problem}
          </p>
        </div>
      )}
      {isChanged && (
        <section aria-labelledby={`${id}-change`} className="stack">
          <h2 id={`${id}-change`}>What changes</h2>
          <Suspense fallback={null}>
            <Difference before={before} after={after} />
          </Suspense>
          {parsed.value !== undefined && preview?.(parsed.value)}
        </section>
      )}
      <p className="page-form-problem" role="alert">
        {problem}
      </p>
      {mayWrite && (
        <div className="page-actions">
          <button type="button" className="button primary" disabled={!isChanged || isBusy || parsed.value === undefined} onClick={() => void publish()}>
            {isBusy ? 'Publishing…' : 'Publish'}
          </button>
          {isChanged && (
            <button
              type="button"
              className="button"
              onClick={() => {
                setDraft(current.document);
                setText(view === 'json' ? before : undefined);
              }}
            >
              Discard
            </button>
          )}
          <span className="muted small">
            Revision {current.revision}
            {current.at !== undefined && current.revision > 0 && `, ${formatTime(current.at)}`}
            {current.by !== undefined && ` by ${current.by}`}
          </span>
        </div>
      )}
    </div>
  );
}
