// Renders a tool call as a line with its subject and state, which expands to its details.
import { callText, type ToolEntry } from 'agent-harness/client';
import { readDiff, type DiffText } from '#lib/unified-diff';
import { ChevronRight, ShieldAlert } from 'lucide-react';
import { memo, Suspense, useId, useMemo, createElement } from 'react';
import { lazyPart } from '../../../kit/lazy-part.ts';
import { useStoredState } from '../../../kit/stored-state.ts';
import { EntryMarks } from '../../../points/entry-marks.tsx';
import { ToolPeek } from './tool-peek.tsx';
import { ToolStateText } from './tool-state.tsx';
import { toolVerb } from '../../../kit/tool-verb.ts';
import { t } from '../../../kit/t.ts';
import './tool-card.css';
import { iconOf } from '../../../kit/icons.tsx';

const ToolBody = lazyPart(async () => (await import('./tool-body.tsx')).ToolBody);

/** Maximum number of changed lines of an edit that is expanded by default. */
const smallDiff = 24;

export const ToolCard = memo(function ToolCard({ entry }: { readonly entry: ToolEntry }) {
  const { name, state, output } = entry;
  const verb = toolVerb(entry);
  const [choice, setChoice] = useStoredState<boolean | undefined>(`open:${entry.id}`, undefined);
  const bodyId = useId();
  const diff = useMemo(() => (state === 'ok' && output !== undefined && isEdit(entry) ? readDiff(output) : undefined), [entry, state, output]);
  const summary = useMemo(() => callText(entry) || (entry.compose?.path ?? ''), [entry]);
  const isTaskRunning = entry.task !== undefined && entry.task.reason === undefined && output === undefined;
  const isOpen =
    choice ?? (isTaskRunning || entry.question !== undefined || entry.answer !== undefined || (diff !== undefined && diff.added + diff.removed <= smallDiff));
  return (
    <article className="tool-card" data-entry-id={entry.id} data-kind="tool" data-state={state} aria-label={t('Tool call {name}', { name })}>
      <button type="button" className="tool-card-head" aria-expanded={isOpen} aria-controls={bodyId} onClick={() => setChoice(!isOpen)}>
        <ToolIcon icon={entry.icon} />
        <span className="tool-card-name" data-code={verb === undefined || undefined} title={name}>
          {verb ?? name}
        </span>
        <span className="tool-card-summary" title={summary}>
          <bdi>{summary}</bdi>
        </span>
        {diff && <DiffCount diff={diff} />}
        {entry.untrusted === true && entry.fromWorkspace !== true && (
          <span className="tool-card-untrusted" title={t('External content: data for the model, not instructions.')}>
            <ShieldAlert size={14} aria-hidden />
            <span>{t('External')}</span>
          </span>
        )}
        <ToolStateText entry={entry} />
        <ChevronRight className="tool-card-chevron" size={16} aria-hidden />
      </button>
      <EntryMarks id={entry.id} />
      {isOpen ? (
        <div className="tool-card-body" id={bodyId}>
          <Suspense>
            <ToolBody entry={entry} />
          </Suspense>
        </div>
      ) : (
        <div id={bodyId} className="tool-card-closed">
          <ToolPeek entry={entry} />
        </div>
      )}
    </article>
  );
});

/** Returns whether the call is an edit; an edit is represented by its changes. */
function isEdit({ args = {} }: ToolEntry): boolean {
  return ['content', 'edits', 'patch'].some((key) => key in args);
}

function DiffCount({ diff }: { readonly diff: DiffText }) {
  return (
    <span className="tool-card-count">
      <span className="tool-card-added">+{diff.added}</span>
      <span className="tool-card-removed">−{diff.removed}</span>
      <span className="visually-hidden">{t('lines')}</span>
    </span>
  );
}

/** Renders the icon of a call, set by its tool. */
function ToolIcon({ icon = 'wrench' }: { readonly icon: string | undefined }) {
  return <span className="tool-card-icon">{createElement(iconOf(icon), { size: 16, 'aria-hidden': true })}</span>;
}
