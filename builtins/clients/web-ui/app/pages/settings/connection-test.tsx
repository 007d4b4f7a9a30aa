// Tests the connection to the model, and shows the results.
import { useState } from 'react';
import type { ReplyOf } from 'agent-harness/client';
import { useClient } from '../../kit/hooks.ts';
import { useAct } from '../../kit/page/use-act.ts';
import { t } from '../../kit/t.ts';

/** Length in characters from which a result occupies the whole row. */
const longText = 80;

export function ConnectionTest() {
  const client = useClient();
  const act = useAct();
  const [lines, setLines] = useState<ReplyOf<'POST /api/provider/test'>['lines']>([]);
  const test = async (): Promise<void> => setLines((await client.call('POST /api/provider/test', { body: {} })).lines);
  return (
    <>
      <p>
        <button
          type="button"
          className="button"
          disabled={act.isBusy}
          title={t('Sends one small request, which costs tokens.')}
          onClick={() => void act.run(test)}
        >
          {act.isBusy ? t('Testing…') : t('Test connection')}
        </button>
      </p>
      <div role="status">
        {lines.length > 0 && (
          <dl className="provider-card-facts">
            {lines.map(({ title, text }) => (
              <div key={title} className={text.length > longText ? 'provider-card-wide' : undefined}>
                <dt>{t(title)}</dt>
                <dd>
                  <bdi>{t(text)}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </>
  );
}
