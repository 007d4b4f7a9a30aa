// Renders the visible part of a collapsed card: the newest output of a running call, or the reason for a failure.
import { decisionText, type ToolEntry } from 'agent-harness/client';
import { printedText } from 'agent-harness/transcript';
import { renderOutput } from '#lib/terminal';
import { firstLine } from '#lib/text';
import { use } from 'react';
import { ChatContext } from '../../../kit/hooks.ts';
import { hostOnly } from '../../../kit/host-only.tsx';
import { usePermission } from '../../../points/use-permission.ts';
import { t, tn } from '../../../kit/t.ts';

const lines = 4;

export function ToolPeek({ entry }: { readonly entry: ToolEntry }) {
  if (entry.state === 'writing' || entry.state === 'running') return <Live entry={entry} />;
  // The state of a stopped call already shows the denial.
  if (entry.decision?.decision === 'reject' && entry.state !== 'stopped')
    return (
      <p className="tool-peek-line" dir="auto">
        {decisionText(entry.decision)} {entry.state === 'expired' && <RunNow entry={entry} />}
      </p>
    );
  if (entry.state === 'failed')
    return (
      <p className="tool-peek-line" dir="auto">
        {firstLine(renderOutput((entry.output ?? '').slice(0, 2_000)).replace(/:\n+(?:- )?/, ': '), 300)}
      </p>
    );
  return null;
}

/** Repeats an expired call on behalf of the user; requests approval again if necessary. */
function RunNow({ entry: { name, args } }: { readonly entry: ToolEntry }) {
  const chat = use(ChatContext);
  const may = usePermission('chats.write');
  if (!chat || !may || args === undefined) return null;
  return (
    <button type="button" {...hostOnly} className="quiet-button" onClick={() => chat.send(`/call ${name} ${JSON.stringify(args)}`)}>
      {t('Run now')}
    </button>
  );
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
  return <pre className="tool-peek tool-peek-text">{renderOutput(lastLines(printedText(progress)))}</pre>;
}

function lastLines(text: string): string {
  return text.slice(-2_000).trimEnd().split('\n').slice(-lines).join('\n');
}
