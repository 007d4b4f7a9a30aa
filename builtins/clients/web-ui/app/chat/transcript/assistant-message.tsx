// Renders an assistant message, with its reasoning and its actions.
import type { AssistantEntry } from 'agent-harness/client';
import { Ellipsis } from 'lucide-react';
import { memo, Suspense, useState } from 'react';
import { lazyPart } from '../../kit/lazy-part.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { ForkButton } from './fork-button.tsx';
import { TurnViews } from '../../points/turn-views.tsx';
import { EntryMarks } from '../../points/entry-marks.tsx';
import { EntryTools } from '../../points/entry-tools.tsx';
import { MessageTools } from '../../points/message-tools.tsx';
import { formatClock } from '../../kit/page/format.ts';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { Reasoning } from './reasoning.tsx';
import { t } from '../../kit/t.ts';
import './message.css';

const AnswerActions = lazyPart(async () => (await import('./again/answer-actions.tsx')).AnswerActions);

interface Props {
  readonly entry: AssistantEntry;
  /** Whether the message ends its turn; a fork here then includes the whole turn. */
  readonly isTurnEnd: boolean;
}

export const AssistantMessage = memo(function AssistantMessage({ entry, isTurnEnd }: Props) {
  const { id, text, reasoning, isStreaming, turnId } = entry;
  const [isOpen, setOpen] = useState(false);
  return (
    <article className="assistant-message" data-entry-id={id} data-kind="assistant" aria-label={t('Assistant')} aria-busy={isStreaming}>
      {reasoning !== '' && <Reasoning id={id} text={reasoning} isStreaming={isStreaming && text === ''} />}
      {text !== '' && <Markdown id={id} text={text} isStreaming={isStreaming} />}
      <EntryMarks id={id} />
      {isTurnEnd && turnId !== undefined && <TurnViews turnId={turnId} />}
      {!isStreaming && text !== '' && (
        <div className={isTurnEnd ? 'message-actions message-actions-last' : 'message-actions'} data-open={isOpen}>
          <CopyButton text={() => text} />
          {isTurnEnd && (
            <button type="button" className="quiet-button message-more" aria-label={t('More actions')} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              <Ellipsis size={16} aria-hidden />
            </button>
          )}
          {isTurnEnd && turnId !== undefined && <ForkButton turnId={turnId} />}
          {/* An item that is added late comes last, so that a press does not hit another button. */}
          <Suspense>
            <AnswerActions text={text} turnId={isTurnEnd ? turnId : undefined} />
            <MessageTools entry={entry} isTurnEnd={isTurnEnd} />
            <EntryTools kind="message" id={id} />
          </Suspense>
          <time className="message-time" dateTime={entry.at}>
            {formatClock(entry.at)}
          </time>
        </div>
      )}
    </article>
  );
});
