// Asks for confirmation before a removal, and then runs the removal.
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';
import { useState, type ReactNode } from 'react';

export interface Question extends Pick<ConfirmDialogProps, 'title' | 'text' | 'action'> {
  readonly go: () => void;
}

/** @returns the function that asks, and the dialog element to render */
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
