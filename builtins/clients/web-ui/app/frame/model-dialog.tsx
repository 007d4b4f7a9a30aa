// Renders the dialog for selecting the model of the open chat or the default model, and the chat's reasoning effort.
import { Command } from 'cmdk';
import { Check } from 'lucide-react';
import { use, useEffect, useState } from 'react';
import type { ReplyOf } from 'agent-harness/client';
import { ChatContext, useClient, useStore } from '../kit/hooks.ts';
import { Modal } from '../kit/modal.tsx';
import { useShell } from '../kit/shell-context.ts';
import { useChatActions } from '../chats/use-chat-actions.ts';
import { effortNames, type Effort } from '../kit/effort-names.ts';
import { Choices } from '../kit/page/choices.tsx';
import { Select } from '../kit/page/select.tsx';
import { amount, money } from '../kit/short-texts.ts';
import { t, table } from '../kit/t.ts';
import './palette/palette.css';

type Models = ReplyOf<'GET /api/models'>;

/** Stands for the configured default. */
const usual = 'default';

type Scope = 'chat' | 'all';
const scopes: Readonly<Record<Scope, string>> = table({ chat: 'This chat', all: 'Default for all chats' });

export function ModelDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const chat = use(ChatContext);
  const { attempt } = useShell();
  const actions = useChatActions();
  const [offer, setOffer] = useState<Models>();
  const [query, setQuery] = useState('');
  const [scope, setScope] = useState<Scope>(chat ? 'chat' : 'all');
  const { model: own, effort } = useStore(client.chats).chats.find((one) => one.chatId === chat?.chatId) ?? {};
  useEffect(() => {
    let isOver = false;
    attempt(async () => {
      const read = await client.call('GET /api/models');
      if (!isOver) setOffer(read);
    });
    return () => {
      isOver = true;
    };
  }, [client, attempt]);

  function choose(model: string | null): void {
    onClose();
    attempt(async () => {
      if (!chat || scope === 'all') return void (await client.call('PUT /api/settings', { body: { provider: { model: model ?? '' } } }));
      await client.call('PATCH /api/chats/:id', { params: { id: chat.chatId }, body: { model } });
      await client.refreshChats();
    });
  }

  const typed = query.trim();
  const isKnown = offer?.models.some(({ id }) => id === typed) === true;
  const title = chat ? t('Model of this chat') : t('Model of all chats');
  const chosen = scope === 'chat' ? own : offer?.current;
  return (
    <Modal title={title} isPlain onClose={onClose}>
      {chat && (
        <div className="palette-scope">
          <Choices legend={t('Address')} value={scope} options={scopes} onChange={setScope} />
          {scope === 'chat' && (
            <label className="palette-effort">
              {t('Reasoning effort')}
              <Select
                value={effort ?? usual}
                options={{ [usual]: t('Default'), ...effortNames }}
                onChange={(chosen: Effort | typeof usual) => actions.change(chat, { effort: chosen === usual ? null : chosen })}
              />
            </label>
          )}
        </div>
      )}
      <Command className="palette" label={title} loop>
        <Command.Input className="palette-field" placeholder={t('Model name')} value={query} onValueChange={setQuery} />
        <Command.List className="palette-list" aria-busy={offer === undefined}>
          {offer && scope === 'chat' && (
            <Command.Item className="palette-item" value="as in the settings" onSelect={() => choose(null)}>
              <span className="palette-item-text one-line" dir="auto">
                {t('Default')}
              </span>
              <span className="palette-item-aside muted small">{offer.current}</span>
              {own === undefined && <Check size={16} aria-label={t('selected')} />}
            </Command.Item>
          )}
          {offer?.models.map(({ id, name, contextLength, price }) => (
            <Command.Item key={id} className="palette-item" value={id} keywords={name === undefined ? [] : [name]} onSelect={() => choose(id)}>
              <span className="palette-item-text one-line" dir="auto">
                {id}
              </span>
              {(contextLength !== undefined || price) && (
                <span className="palette-item-aside muted small" {...(price ? { title: t('US dollars per million input and output tokens') } : {})}>
                  {[
                    contextLength === undefined ? [] : t('{contextLength} tokens', { contextLength: amount(contextLength) }),
                    price ? `${money(price.input)} / ${money(price.output)}` : [],
                  ]
                    .flat()
                    .join(' · ')}
                </span>
              )}
              {chosen === id && <Check size={16} aria-label={t('selected')} />}
            </Command.Item>
          ))}
          {offer && typed !== '' && !isKnown && (
            <Command.Item className="palette-item" value={`use ${typed}`} keywords={[typed]} onSelect={() => choose(typed)}>
              <span className="palette-item-text one-line" dir="auto">
                {t('Use “{typed}”', { typed })}
              </span>
            </Command.Item>
          )}
          {offer?.reason !== undefined && <p className="palette-none muted small">{offer.reason}</p>}
        </Command.List>
      </Command>
    </Modal>
  );
}
