// Renders the parts of the context window, the estimated effect of compacting, and the button that compacts.
import { Minimize2 } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { AnchoredCard } from '#page/kit/page/anchored-card.tsx';
import { explainError } from '#page/kit/page/explain-error.ts';
import { formatCount } from '#page/kit/page/format.ts';
import { usePermission } from '#page/points/use-permission.ts';
import { percentOf, type ContextFigures } from './context-figures.ts';
import { t, table } from '#page/kit/t.ts';
import './context-details.css';

interface Props {
  readonly chatId: string;
  readonly figures: ContextFigures;
  /** Error message of the last request. */
  readonly problem: string | undefined;
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

const names: Readonly<Record<keyof ContextFigures['parts'], string>> = table({
  system: 'Instructions',
  tools: 'Tools',
  memory: 'Memory',
  conversation: 'Conversation',
});

export function ContextDetails({ chatId, figures, problem, anchor, onChanged, onClose }: Props) {
  const client = useClient();
  const mayWrite = usePermission('chats.write');
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<string>();
  const { used, limit, parts, compactsAt, compactsTo } = figures;
  const percent = percentOf(figures);

  async function compact(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setSaid(undefined);
    try {
      setSaid((await client.call('POST /api/commands', { body: { name: 'compact', chatId } })).text);
    } catch (error) {
      setSaid(explainError(error));
    } finally {
      setBusy(false);
      onChanged();
    }
  }

  return (
    <AnchoredCard label={t('Context of this chat')} anchor={anchor} onClose={onClose}>
      <div className="context-sum">
        <strong>{t('{percent} % full', { percent })}</strong>
        <span className="muted">{t('{used} of {limit} tokens', { used: formatCount(used), limit: formatCount(limit) })}</span>
      </div>
      <div
        className="context-bar"
        role="meter"
        aria-label={t('Context usage')}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={t('{percent} percent, {used} of {limit} tokens', { percent, used: formatCount(used), limit: formatCount(limit) })}
      >
        {partsOf(figures).map(([part, tokens]) => (
          <span key={part} data-part={part} style={{ width: `${(tokens / Math.max(limit, used)) * 100}%` }} />
        ))}
      </div>
      <dl className="anchored-facts">
        {partsOf(figures).map(([part, tokens]) => (
          <div key={part}>
            <dt>
              <span className="context-swatch" data-part={part} aria-hidden />
              {names[part]}
            </dt>
            <dd>{formatCount(tokens)}</dd>
          </div>
        ))}
      </dl>
      {parts.system === undefined && <p className="muted">{t('Instructions and memory are included from the next message on.')}</p>}
      <p className="muted">
        {t('{status} Compaction starts automatically at {compactsAt} tokens.', {
          status:
            compactsTo === undefined
              ? t('Nothing can be shortened yet: the newest messages are sent in full.')
              : t('Compacting shortens older messages and tool results: about {compactsTo} tokens instead of {used}. The chat itself keeps everything.', {
                  compactsTo: formatCount(compactsTo),
                  used: formatCount(used),
                }),
          compactsAt: formatCount(compactsAt),
        })}
      </p>
      {mayWrite && (
        <button type="button" className="button" aria-disabled={isBusy || compactsTo === undefined} onClick={() => compactsTo !== undefined && void compact()}>
          <Minimize2 size={16} aria-hidden /> {isBusy ? t('Compacting…') : t('Compact now')}
        </button>
      )}
      <p role="status" className="context-said">
        {said ?? problem}
      </p>
    </AnchoredCard>
  );
}

/** Returns the parts in the order of a request. */
function partsOf({ parts }: ContextFigures): [keyof ContextFigures['parts'], number][] {
  return (['system', 'tools', 'memory', 'conversation'] as const).flatMap((part) => (parts[part] === undefined ? [] : [[part, parts[part]]]));
}
