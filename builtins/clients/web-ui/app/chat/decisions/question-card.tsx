// Renders the card of a question that the model asks: options as buttons, and a field for a free-text answer.
import type { OpenChat, Question } from 'agent-harness/client';
import { MessageCircleQuestionMark } from 'lucide-react';
import { memo, useId, type FormEvent, type KeyboardEvent } from 'react';
import { PlainText } from '../../kit/plain-text.tsx';
import { hasTouchKeyboard } from '../../kit/touch-keyboard.ts';
import { useAutoGrow } from '../../kit/use-auto-grow.ts';
import { useDecision } from './use-decision.ts';
import { useDraft } from '../../kit/use-draft.ts';
import { EntryTools } from '../../points/entry-tools.tsx';
import { FieldTools } from '../../points/field-tools.tsx';
import { t } from '../../kit/t.ts';
import './question-card.css';
import { isComposing } from '../../kit/composing.ts';

interface QuestionCardProps {
  readonly chat: OpenChat;
  readonly question: Question;
  readonly isSteady: () => boolean;
  readonly isSettling: boolean;
  readonly onDecided: (askId: string) => void;
}

export const QuestionCard = memo(function QuestionCard({ chat, question, isSteady, isSettling, onDecided }: QuestionCardProps) {
  const { askId, prompt, options = [] } = question;
  const id = useId();
  const [text, setText] = useDraft(askId);
  const field = useAutoGrow(text);
  const { isBusy, problem, decide } = useDecision(chat);

  function answer(said: string): void {
    if (said === '' || isBusy || !isSteady()) return;
    onDecided(askId);
    decide(async () => {
      await chat.answer(askId, said);
      setText('');
    });
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    answer(text.trim());
    if (text.trim() === '') field.current?.focus();
  }

  function onGroupKey(event: KeyboardEvent): void {
    if (event.target === field.current || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
    const option = /^[1-9]$/.test(event.key) ? options[Number(event.key) - 1] : undefined;
    if (option === undefined) return;
    event.preventDefault();
    answer(option);
  }

  function onFieldKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent) || hasTouchKeyboard()) return;
    event.preventDefault();
    answer(text.trim());
  }

  return (
    <div
      className="question-card"
      role="group"
      aria-label={t('Question')}
      aria-describedby={`${id}-prompt`}
      aria-busy={isBusy}
      tabIndex={-1}
      data-decision
      onKeyDown={onGroupKey}
    >
      <div className="question-head">
        <MessageCircleQuestionMark size={18} aria-hidden className="question-icon" />
        <h3 id={`${id}-prompt`} className="question-prompt">
          <PlainText text={prompt} />
        </h3>
      </div>
      {options.length > 0 && (
        <div className="question-options">
          {options.map((option, index) => (
            <button
              key={option}
              type="button"
              className="button question-option"
              aria-disabled={isBusy || isSettling}
              {...(index < 9 ? { 'aria-keyshortcuts': String(index + 1) } : {})}
              onClick={(event) => event.detail <= 1 && answer(option)}
            >
              {index < 9 && (
                <kbd className="approval-key" aria-hidden>
                  {index + 1}
                </kbd>
              )}
              <PlainText text={option} />
            </button>
          ))}
        </div>
      )}
      <form className="question-form" onSubmit={onSubmit}>
        <FieldTools>
          <textarea
            ref={field}
            className="field question-field"
            aria-label={t('Answer')}
            rows={1}
            placeholder={options.length > 0 ? t('Your own answer') : t('Your answer')}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onFieldKey}
          />
        </FieldTools>
        <button type="submit" className="button primary" aria-disabled={isBusy || isSettling}>
          {t('Answer')}
        </button>
      </form>
      <EntryTools kind="call" id={question.callId} chatId={chat.chatId} />
      {problem !== undefined && (
        <p role="alert" className="approval-problem small">
          {problem}
        </p>
      )}
    </div>
  );
});
