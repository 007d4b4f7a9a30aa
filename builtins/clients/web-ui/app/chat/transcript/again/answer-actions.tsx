// Renders the actions on an answer: copy as plain text, or regenerate.
import { RefreshCw } from 'lucide-react';
import { CopyButton } from '../../../kit/copy-button.tsx';
import { plainTextOf } from './plain-text-of.ts';
import { RepeatButton } from './repeat-button.tsx';
import { t } from '../../../kit/t.ts';

interface AnswerActionsProps {
  readonly text: string;
  /** Set for the last message of a turn. */
  readonly turnId: string | undefined;
}

export function AnswerActions({ text, turnId }: AnswerActionsProps) {
  return (
    <>
      <CopyButton text={() => plainTextOf(text)} label={t('Copy as text')} />
      {turnId !== undefined && (
        <RepeatButton turnId={turnId} label={t('Regenerate')}>
          <RefreshCw size={14} aria-hidden />
        </RepeatButton>
      )}
    </>
  );
}
