// Renders the button that repeats a request in a new branch of the chat.
import { use, type ReactNode } from 'react';
import { ChatContext } from '../../../kit/hooks.ts';
import { askedIn, useAgain } from './use-again.ts';

interface RepeatButtonProps {
  readonly turnId: string;
  readonly label: string;
  /** Icon of the button. */
  readonly children: ReactNode;
}

export function RepeatButton({ turnId, label, children }: RepeatButtonProps) {
  const again = useAgain();
  const chat = use(ChatContext);
  if (!again || !chat || !askedIn(chat, turnId)) return null;
  return (
    <button type="button" className="quiet-button" disabled={again.isBusy} onClick={() => void again.run(turnId)}>
      {children}
      <span>{label}</span>
    </button>
  );
}
