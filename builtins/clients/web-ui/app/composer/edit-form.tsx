// Edits the arguments of a call before it goes ahead; says what is wrong with them.
import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { parseArguments, writeArguments } from './call-arguments.ts';
import { reveal } from './reveal.ts';
import './approval-form.css';

interface EditFormProps {
  readonly args: unknown;
  /** What the server says about the arguments that were sent last. */
  readonly refusal: string | undefined;
  readonly isBusy: boolean;
  readonly onApprove: (args: Record<string, unknown>) => void;
  readonly onCancel: () => void;
  /** Beside the buttons. */
  readonly children: ReactNode;
}

export function EditForm({ args, refusal, isBusy, onApprove, onCancel, children }: EditFormProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => writeArguments(args));
  const [refusedText, setRefusedText] = useState<string>();
  const parsed = parseArguments(text);
  const problem = 'problem' in parsed ? parsed.problem : refusedText === text ? refusal : undefined;

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy) return;
    if ('problem' in parsed) {
      field.current?.focus();
      return;
    }
    setRefusedText(text);
    onApprove(parsed.args);
  }

  return (
    <form ref={reveal} className="approval-form" onSubmit={onSubmit} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      <label htmlFor={id}>Arguments</label>
      <textarea
        id={id}
        ref={field}
        className="field approval-json"
        autoFocus
        rows={Math.min(12, text.split('\n').length + 1)}
        spellCheck={false}
        autoCapitalize="off"
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <p id={`${id}-problem`} className="approval-problem small" aria-live="polite">
        {problem}
      </p>
      <div className="approval-actions">
        <button type="submit" className="button primary" aria-disabled={isBusy || 'problem' in parsed}>
          Approve edited
        </button>
        <button type="button" className="button bare" onClick={onCancel}>
          Cancel
        </button>
        {children}
      </div>
    </form>
  );
}
