// Renders a diagram that a model wrote. Its source is available on request, and shown while streaming and on errors.
import { Code, Expand, Workflow } from 'lucide-react';
import { CodeBlock } from '../code/code-block.tsx';
import { useStoredState } from '../stored-state.ts';
import { useThemeNow } from '../use-theme-now.ts';
import { t } from '../t.ts';
import { useDiagram } from './use-diagram.ts';
import './diagram.css';

interface Props {
  readonly id: string;
  readonly code: string;
  readonly isStreaming: boolean;
}

export function DiagramBlock({ id, code }: Props) {
  const [isSource, setSource] = useStoredState(`source:${id}`, false);
  const [isLarge, setLarge] = useStoredState(`large:${id}`, false);
  const diagram = useDiagram(code, useThemeNow());
  const isDrawn = diagram?.fault === undefined && diagram !== undefined;
  const tools = isDrawn && (
    <>
      {!isSource && (
        <button type="button" className="quiet-button" aria-pressed={isLarge} onClick={() => setLarge(!isLarge)}>
          <Expand size={14} aria-hidden /> <span>{t('Full size')}</span>
        </button>
      )}
      <button type="button" className="quiet-button" onClick={() => setSource(!isSource)}>
        {isSource ? <Workflow size={14} aria-hidden /> : <Code size={14} aria-hidden />} <span>{isSource ? t('Diagram') : t('Source')}</span>
      </button>
    </>
  );
  const picture = isDrawn && !isSource && (
    <div className={isLarge ? 'diagram diagram-large' : 'diagram'} tabIndex={0} role="group" aria-label={t('Diagram')}>
      <img src={diagram.address} width={diagram.width} height={diagram.height} alt={diagram.title === '' ? t('Diagram') : diagram.title} />
    </div>
  );
  return (
    <CodeBlock id={id} lang="mermaid" code={code} tools={tools} {...(picture === false ? {} : { picture })}>
      {diagram?.fault !== undefined && <p className="diagram-fault small">{t('This diagram cannot be drawn: {fault}', { fault: diagram.fault })}</p>}
    </CodeBlock>
  );
}
