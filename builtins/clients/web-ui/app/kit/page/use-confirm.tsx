// Asks before something is taken away, and then does it.
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';
import { useState, type ReactNode } from 'react';

export interface Question extends Pick<ConfirmDialogProps, 'title' | 'text' | 'action'> {
  readonly go: () => void;
}

/** @returns how to ask, and the dialog, which the component draws */
export function useConfirm(): readonly [ask: (question: Question) => void, dialog: ReactNode] {
  const [question, ask] = useState<Question>();
  const dialog = question && (
    <ConfirmDialog
      title={question.title}
      text={question.text}
      action={question.action}
      onAnswer={(isSure) => {
        ask(undefined);
        if (isSure) question.go();
      }}
    />
  );
  return [ask, dialog];
}
