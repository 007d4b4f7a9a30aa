// Renders the editor for an organisation's document, as a form or as JSON, with a preview of the changes and the affected members.
import { Choices } from '#page/kit/page/choices.tsx';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { Suspense, useId, type ComponentType } from 'react';
import { ConflictNotice } from './conflict-notice.tsx';
import { documentText } from './document-text.ts';
import { JsonField } from './json-field.tsx';
import { PreviewLines } from './preview-lines.tsx';
import type { Revised, RulesDocument } from './rules-document.ts';
import { useDraft } from './use-draft.ts';

const Difference = lazyPart(async () => (await import('./difference.tsx')).Difference);

export interface DocumentEditorProps<T> {
  readonly current: Revised<T>;
  readonly rules: RulesDocument<T>;
  readonly mayWrite: boolean;
  /** Newest known published revision. */
  readonly newest: number;
  /** Form that shows the fields under readable names. */
  readonly Form: ComponentType<{ readonly value: T; readonly onChange: (value: T) => void; readonly isReadOnly: boolean }>;
  readonly onPublished: (revision: number) => void;
}

/** Shows a notice if another administrator publishes during the edit. */
export function DocumentEditor<T extends object>({ current, rules, mayWrite, newest, Form, onPublished }: DocumentEditorProps<T>) {
  const id = useId();
  const draft = useDraft({ current, rules, newest, onPublished });
  const { view, base, theirs, parsed, fault, isChanged, isBusy, problem } = draft;
  const after = parsed === undefined ? undefined : documentText(parsed);
  return (
    <div className="stack">
      {theirs && <ConflictNotice before={base.document} theirs={theirs} onMerge={draft.merge} onDiscard={draft.discard} />}
      <Choices legend="Editor" value={view} options={{ form: 'Form', json: 'JSON' }} onChange={draft.setView} />
      {view === 'form' ? (
        <Form value={draft.value} onChange={draft.setValue} isReadOnly={!mayWrite} />
      ) : (
        <JsonField label="Document as JSON" value={draft.text} onChange={draft.setText} isReadOnly={!mayWrite} problem={fault} />
      )}
      {isChanged && after !== undefined && (
        <section aria-labelledby={`${id}-change`} className="stack">
          <h2 id={`${id}-change`}>Changes</h2>
          <Suspense fallback={null}>
            <Difference before={documentText(base.document)} after={after} />
          </Suspense>
          {fault === undefined && parsed !== undefined && <PreviewLines text={after} document={parsed} rules={rules} />}
          {fault !== undefined && view === 'form' && (
            <p className="page-notice bad" role="alert">
              <span>{fault}</span>
            </p>
          )}
        </section>
      )}
      {mayWrite && (
        <div>
          <p className="page-form-problem" role="alert">
            {problem}
          </p>
          <div className="page-actions editor-actions">
            <button
              type="button"
              className="button primary"
              disabled={!isChanged || isBusy || fault !== undefined || theirs !== undefined}
              onClick={() => void draft.publish()}
            >
              {isBusy ? 'Publishing…' : 'Publish'}
            </button>
            {isChanged && !theirs && (
              <button type="button" className="button" onClick={draft.discard}>
                Discard
              </button>
            )}
            <span className="muted small">{base.revision === 0 ? 'No revision is published yet.' : `Revision ${base.revision} is active.`}</span>
          </div>
        </div>
      )}
    </div>
  );
}
