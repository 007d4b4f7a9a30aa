// What the assistant said, what it thought before, and what can be done with it.
import type { AssistantEntry } from 'agent-harness/client';
import { ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { CopyButton } from '../../kit/copy-button.tsx';
import { ForkButton } from './fork-button.tsx';
import { useKept } from '../../kit/kept-state.ts';
import { MessageTools } from '../../points/message-tools.tsx';
import { Markdown } from './markdown/markdown.tsx';
import './message.css';

interface Props {
  readonly entry: AssistantEntry;
  /** A fork here holds everything up to and including its turn. */
  readonly isTurnEnd: boolean;
}

export const AssistantMessage = memo(function AssistantMessage({ entry, isTurnEnd }: Props) {
  const { id, text, reasoning, isStreaming, turnId } = entry;
  return (
    <article className="assistant-message" data-entry-id={id} data-kind="assistant" aria-label="Assistant said" aria-busy={isStreaming}>
      {reasoning !== '' && <Reasoning id={id} text={reasoning} isStreaming={isStreaming && text === ''} />}
      {text !== '' && <Markdown id={id} text={text} isStreaming={isStreaming} />}
      {!isStreaming && text !== '' && (
        <div className={isTurnEnd ? 'message-actions message-actions-last' : 'message-actions'}>
          <CopyButton text={() => text} />
          <MessageTools entry={entry} />
          {isTurnEnd && turnId !== undefined && <ForkButton turnId={turnId} />}
          <time className="message-time" dateTime={entry.at}>
            {timeText(entry.at)}
          </time>
        </div>
      )}
    </article>
  );
});

function Reasoning({ id, text, isStreaming }: { readonly id: string; readonly text: string; readonly isStreaming: boolean }) {
  const [isOpen, setOpen] = useKept(`reasoning:${id}`, false);
  return (
    <div className="reasoning">
      <button type="button" className="quiet-button reasoning-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={14} aria-hidden />
        <span className={isStreaming ? 'reasoning-live' : ''}>Reasoning</span>
      </button>
      {isOpen && (
        <div className="reasoning-text">
          <Markdown id={`${id}:reasoning`} text={text} isStreaming={isStreaming} />
        </div>
      )}
    </div>
  );
}

function timeText(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}
