// Renders the dialog with the permanent decisions for this chat and its folder, their use counts, and a button to revoke each.
import type { ReplyOf } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { Suspense, useEffect, useState } from 'react';
import { useClient, useStore } from '../../kit/hooks.ts';
import { lazyPart } from '../../kit/lazy-part.ts';
import { Modal } from '../../kit/modal.tsx';
import { formatTime } from '../../kit/page/format.ts';
import { PlainText } from '../../kit/plain-text.tsx';
import { t, tn } from '../../kit/t.ts';
import { viewStoreOf } from '../../points/view-store.ts';
import './rules-dialog.css';

const ViewPanel = lazyPart(async () => (await import('../../kit/view/view-panel.tsx')).ViewPanel);
/** View with the folder's rules and with rules proposed from past approvals, if its plugin is loaded. */
const viewOfFolder = 'rules';

type Rule = ReplyOf<'GET /api/approval-rules'>['rules'][number];

export function RulesDialog({ chatId, onClose }: { readonly chatId: string; readonly onClose: () => void }) {
  const client = useClient();
  const [rules, setRules] = useState<readonly Rule[]>();
  const [problem, setProblem] = useState<string>();
  const ofFolder = useStore(viewStoreOf(client)).rows.find(({ name }) => name === viewOfFolder);
  const shown = ofFolder ? rules?.filter(({ scope }) => scope === 'chat') : rules;

  useEffect(() => {
    client.call('GET /api/approval-rules', { query: { chatId } }).then(
      (reply) => setRules(reply.rules),
      (fault: unknown) => setProblem(messageOf(fault)),
    );
  }, [client, chatId]);

  async function remove(id: string): Promise<void> {
    try {
      await client.call('DELETE /api/approval-rules/:id', { params: { id } });
      setRules((known) => known?.filter((rule) => rule.id !== id));
    } catch (fault) {
      setProblem(messageOf(fault));
    }
  }

  return (
    <Modal
      title={t('Automatic approvals and denials')}
      description={t('Rules of this chat and its folder. If you remove an approval, the agent asks again.')}
      onClose={onClose}
    >
      {problem !== undefined && (
        <p role="alert" className="approval-problem small">
          {problem}
        </p>
      )}
      {shown?.length === 0 && !ofFolder && <p className="muted">{t('No rules yet. “Always…” in an approval adds one.')}</p>}
      <ul className="rules-list">
        {shown?.map((rule) => (
          <li key={rule.id} className="rules-row">
            <div className="rules-words">
              <PlainText text={rule.words} />
              <span className="muted small">{answeredText(rule)}</span>
            </div>
            <button type="button" className="button small" aria-label={t('Withdraw: {rule}', { rule: rule.words })} onClick={() => void remove(rule.id)}>
              {t('Withdraw')}
            </button>
          </li>
        ))}
      </ul>
      {ofFolder && (
        <Suspense fallback={null}>
          <ViewPanel name={viewOfFolder} changesOn={ofFolder.changesOn ?? []} chatId={chatId} />
        </Suspense>
      )}
    </Modal>
  );
}

function answeredText({ answered, lastAt }: Rule): string {
  if (answered === 0 || lastAt === undefined) return t('not used yet');
  return t('used {times}, last on {lastAt}', { times: tn(answered, 'once', '{count} times'), lastAt: formatTime(lastAt) });
}
