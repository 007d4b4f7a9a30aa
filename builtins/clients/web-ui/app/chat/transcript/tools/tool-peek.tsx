// What a closed card still shows: the newest of a call that is under way, and why one failed.
import { decisionText, progressText, type ToolEntry } from 'agent-harness/client';
import { renderOutput } from 'agent-harness/lib/terminal';
import { firstLine } from 'agent-harness/lib/text';
import { tn } from '../../../kit/t.ts';

const lines = 4;

export function ToolPeek({ entry }: { readonly entry: ToolEntry }) {
  if (entry.state === 'writing' || entry.state === 'running') return <Live entry={entry} />;
  if (entry.decision?.decision === 'reject') return <p className="tool-peek-line">{decisionText(entry.decision)}</p>;
  if (entry.state === 'failed') return <p className="tool-peek-line">{firstLine(renderOutput((entry.output ?? '').slice(0, 2_000)), 300)}</p>;
  return null;
}

function Live({ entry }: { readonly entry: ToolEntry }) {
  const { compose, progress } = entry;
  if (compose && !compose.isDone)
    return (
      <div className="tool-peek">
        <pre className="tool-peek-text">{lastLines(compose.text)}</pre>
        <p className="tool-peek-count">{tn(compose.lines, '{count} line', '{count} lines')}</p>
      </div>
    );
  if (progress.length === 0) return null;
  return <pre className="tool-peek tool-peek-text">{lastLines(renderOutput(progressText(progress.slice(-lines))))}</pre>;
}

function lastLines(text: string): string {
  return text.slice(-2_000).split('\n').slice(-lines).join('\n');
}
