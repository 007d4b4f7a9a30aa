// Renders the usage of one turn: time, models, tokens and cost.
import type { RefObject } from 'react';
import { hashOf, useClient } from '../../kit/hooks.ts';
import { AnchoredCard } from '../../kit/page/anchored-card.tsx';
import { formatCount } from '../../kit/page/format.ts';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { WhenLoaded } from '../../kit/page/when-loaded.tsx';
import { costText, longTime, sumsByModel } from './turn-usage.ts';
import { t } from '../../kit/t.ts';

interface Props {
  readonly chatId: string;
  readonly turnId: string;
  /** Duration of the turn in milliseconds. */
  readonly turnMs: number;
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

export function TurnCostCard({ chatId, turnId, turnMs, anchor, onClose }: Props) {
  const client = useClient();
  const loaded = useLoaded(turnId, (signal) => client.call('GET /api/usage', { query: { chatId, turnId }, signal }));
  return (
    <AnchoredCard label={t('Usage of this turn')} anchor={anchor} onClose={onClose}>
      <dl className="anchored-facts">
        <div>
          <dt>{t('Time')}</dt>
          <dd>{longTime(turnMs)}</dd>
        </div>
      </dl>
      <WhenLoaded loaded={loaded} what={t('usage')}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className="muted">{t('This turn made no model calls.')}</p>
          ) : (
            sumsByModel(rows).map((sums) => (
              <dl key={sums.model} className="anchored-facts" aria-label={sums.model}>
                <div>
                  <dt>{t('Model')}</dt>
                  <dd>{sums.model}</dd>
                </div>
                <div>
                  <dt>{t('Calls')}</dt>
                  <dd>{formatCount(sums.calls)}</dd>
                </div>
                <div>
                  <dt>{t('Input tokens')}</dt>
                  <dd>
                    {formatCount(sums.input)}
                    {sums.cached > 0 && ` ${t('({cached} cached)', { cached: formatCount(sums.cached) })}`}
                  </dd>
                </div>
                <div>
                  <dt>{t('Output tokens')}</dt>
                  <dd>{formatCount(sums.output)}</dd>
                </div>
                <div>
                  <dt>{t('Cost')}</dt>
                  <dd>{costText(sums)}</dd>
                </div>
              </dl>
            ))
          )
        }
      </WhenLoaded>
      <p>
        <a href={hashOf({ page: 'view', id: 'usage' })}>{t('All usage')}</a>
      </p>
    </AnchoredCard>
  );
}
