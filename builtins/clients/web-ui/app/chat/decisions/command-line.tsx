// Renders the command of a call as an editable field; the edited text is what runs.
import { showHidden } from '#lib/hidden-text';
import type { Approval } from 'agent-harness/client';
import { isRecord } from '#lib/values';
import type { KeyboardEvent } from 'react';
import { FieldTools } from '../../points/field-tools.tsx';
import { useAutoGrow } from '../../kit/use-auto-grow.ts';
import { t } from '../../kit/t.ts';

const longestLine = 400;
const mostLines = 3;

/** Returns the command if it is short and a field can display all its characters. Other commands are edited in the form. */
export function editableCommand({ preview, args }: Approval): string | undefined {
  if (preview?.kind !== 'command' || !isRecord(args) || args['command'] !== preview.command) return undefined;
  const { command } = preview;
  const isShort = command.length <= longestLine && command.split('\n').length <= mostLines;
  return isShort && showHidden(command) === command ? command : undefined;
}

interface Props {
  readonly id: string;
  readonly text: string;
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  readonly onChange: (text: string) => void;
  readonly onReset: () => void;
  readonly onApprove: () => void;
}

export function CommandLine({ id, text, isChanged, isBusy, onChange, onReset, onApprove }: Props) {
  const field = useAutoGrow(text);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && isChanged) {
      event.stopPropagation();
      onReset();
    }
    // Enter without a modifier could be meant for the message field.
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onApprove();
    }
  }

  return (
    <div className="approval-line">
      <FieldTools>
        <textarea
          ref={field}
          id={id}
          className="approval-line-field"
          aria-label={t('command')}
          rows={1}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          readOnly={isBusy}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </FieldTools>
      {isChanged && (
        <button type="button" className="button bare small" onClick={onReset}>
          {t('Restore original')}
        </button>
      )}
    </div>
  );
}
