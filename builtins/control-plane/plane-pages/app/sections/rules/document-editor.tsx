// Edits a document of the organisation: as a form or as JSON, with what would change, and for whom, before it does.
import { Choices } from '#page/kit/page/choices.tsx';
import { detailsOf, explainError } from '#page/kit/page/explain-error.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { codeOf } from 'agent-harness/lib/errors';
import { Suspense, useId, useState, type ComponentType } from 'react';
import { JsonField } from './json-field.tsx';
import { parseDocument } from './parse-document.ts';
import { PreviewLines } from './preview-lines.tsx';
import type { Revised, RulesDocument } from './rules-document.ts';

const Difference = lazyPart(async () => (await import('./difference.tsx')).Difference);

export interface DocumentEditorProps<T> {
  readonly current: Revised<T>;
  readonly rules: RulesDocument<T>;
  readonly mayWrite: boolean;
  /** The fields that people know by name. */
  readonly Form: ComponentType<{ readonly value: T; readonly onChange: (value: T) => void; readonly isReadOnly: boolean }>;
  readonly onSaved: () => void;
}

type View = 'form' | 'json';

/** Contract: another revision gets another key. */
export function DocumentEditor<T extends object>({ current, rules, mayWrite, Form, onSaved }: DocumentEditorProps<T>) {
  const { tell } = useShell();
  const id = useId();
  const [view, setView] = useState<View>('form');
  const [draft, setDraft] = useState(current.document);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const parsed = view === 'form' ? { value: draft } : parseDocument<T>(text);
  const before = textOf(current.document);
  const after = parsed.value === undefined ? before : textOf(parsed.value);
  const isChanged = before !== after;

  function change(next: View): void {
    if (next === 'json') setText(textOf(draft));
    else if (parsed.value === undefined) return;
    else setDraft(parsed.value);
    setView(next);
  }

  async function publish(): Promise<void> {
    if (parsed.value === undefined) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await rules.save(current.revision, parsed.value);
      tell('Published. Connected services have it within seconds.');
      onSaved();
    } catch (error) {
      setProblem(conflictText(error) ?? explainError(error));
      setBusy(false);
    }
  }

  return (
    <div className="stack">
      <Choices legend="How to edit" value={view} options={{ form: 'Form', json: 'JSON' }} onChange={change} />
      {view === 'form' ? (
        <Form value={draft} onChange={setDraft} isReadOnly={!mayWrite} />
      ) : (
        <JsonField label="Document as JSON" value={text} onChange={setText} isReadOnly={!mayWrite} problem={parsed.problem} />
      )}
      {isChanged && (
        <section aria-labelledby={`${id}-change`} className="stack">
          <h2 id={`${id}-change`}>What changes</h2>
          <Suspense fallback={null}>
            <Difference before={before} after={after} />
          </Suspense>
          {parsed.value !== undefined && <PreviewLines text={after} document={parsed.value} rules={rules} />}
        </section>
      )}
      {mayWrite && (
        <div>
          <p className="page-form-problem" role="alert">
            {problem}
          </p>
          <div className="page-actions editor-actions">
            <button type="button" className="button primary" disabled={!isChanged || isBusy} onClick={() => void publish()}>
              {isBusy ? 'Publishing…' : 'Publish'}
            </button>
            {isChanged && (
              <button
                type="button"
                className="button"
                onClick={() => {
                  setDraft(current.document);
                  setText(before);
                }}
              >
                Discard
              </button>
            )}
            <span className="muted small">{current.revision === 0 ? 'Nothing is published yet.' : `Revision ${current.revision} is in force.`}</span>
          </div>
        </div>
      )}
    </div>
  );
}

const textOf = (document: unknown): string => JSON.stringify(document, null, 2);

function conflictText(error: unknown): string | undefined {
  if (codeOf(error) !== 'revision_conflict') return undefined;
  const { revision } = detailsOf(error);
  const which = typeof revision === 'number' ? `revision ${revision}` : 'another revision';
  return `Somebody has published ${which} meanwhile. Load the page again and repeat your change, so that theirs is not lost.`;
}
