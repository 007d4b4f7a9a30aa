// Renders the reasoning of the model, collapsed behind a line.
import { ChevronRight } from 'lucide-react';
import { useStoredState } from '../../kit/stored-state.ts';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { t } from '../../kit/t.ts';
import './message.css';

export function Reasoning({ id, text, isStreaming }: { readonly id: string; readonly text: string; readonly isStreaming: boolean }) {
  const [isOpen, setOpen] = useStoredState(`reasoning:${id}`, false);
  return (
    <div className="reasoning">
      <button type="button" className="quiet-button reasoning-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={14} aria-hidden />
        <span className={isStreaming ? 'reasoning-live' : ''}>{t('Reasoning')}</span>
      </button>
      {isOpen && (
        <div className="reasoning-text">
          <Markdown id={`${id}:reasoning`} text={text} isStreaming={isStreaming} />
        </div>
      )}
    </div>
  );
}
