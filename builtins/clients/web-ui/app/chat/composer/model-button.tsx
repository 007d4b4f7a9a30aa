// Shows the current model of this chat, and its reasoning effort if it is set; opens the selection of both.
import type { OpenChat } from 'agent-harness/client';
import { ChevronDown } from 'lucide-react';
import { useClient } from '../../kit/hooks.ts';
import { hostOnly } from '../../kit/host-only.tsx';
import { useShell } from '../../kit/shell-context.ts';
import { effortNames } from '../../kit/effort-names.ts';
import { useModelName } from './use-model-name.ts';
import { useSelected } from '../../kit/use-selected.ts';
import { rowOf } from '../../kit/short-texts.ts';
import { t } from '../../kit/t.ts';

export function ModelButton({ chat }: { readonly chat: OpenChat }) {
  const client = useClient();
  const { openDialog } = useShell();
  const meta = useSelected(client.chats, ({ chats }) => chats.find((one) => one.chatId === chat.chatId));
  const usual = useModelName(chat.chatId);
  const own = meta?.model ?? usual;
  const effort = meta?.effort && effortNames[meta.effort];
  const isDemo = useSelected(client.connection, ({ config }) => config?.demoModel === true);
  const isEmpty = useSelected(chat.state, ({ entries, running }) => entries.length === 0 && !running);
  if (isDemo) {
    // An empty chat has this button in its greeting.
    return isEmpty ? null : (
      <button type="button" {...hostOnly} className="button bare composer-model small" onClick={() => openDialog('connect')}>
        {t('Connect a model')}
      </button>
    );
  }
  const label = t('Model: {name}', { name: own ?? t('default') });
  return (
    <button
      type="button"
      {...hostOnly}
      className="button bare composer-model small"
      aria-label={effort === undefined ? label : rowOf([label, t('Reasoning effort: {effort}', { effort })])}
      onClick={() => openDialog('model')}
    >
      <span className="composer-model-name">{own ?? t('Model')}</span>
      {effort !== undefined && <span className="composer-model-effort">{effort}</span>}
      <ChevronDown size={14} aria-hidden />
    </button>
  );
}
