// Chooses the model that answers in the chat that is shown.
import { Command } from 'cmdk';
import { Check } from 'lucide-react';
import { use, useEffect, useState } from 'react';
import type { ReplyOf } from 'agent-harness/client';
import { ChatContext, useClient, useStore } from '../kit/hooks.ts';
import { Modal } from '../kit/modal.tsx';
import { useShell } from '../kit/shell-context.ts';
import { amount } from '../kit/words.ts';
import './palette/palette.css';

type Models = ReplyOf<'GET /api/models'>;

export function ModelDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const chat = use(ChatContext);
  const { attempt } = useShell();
  const [offer, setOffer] = useState<Models>();
  const [query, setQuery] = useState('');
  const own = useStore(client.chats).chats.find((one) => one.chatId === chat?.chatId)?.model;
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
    if (!chat) return;
    attempt(async () => {
      await client.call('PATCH /api/chats/:id', { params: { id: chat.chatId }, body: { model } });
      await client.refreshChats();
    });
  }

  const typed = query.trim();
  const isKnown = offer?.models.some(({ id }) => id === typed) === true;
  return (
    <Modal title="Model of this chat" isPlain onClose={onClose}>
      <Command className="palette" label="Model of this chat" loop>
        <Command.Input className="palette-field" placeholder="The name of a model" value={query} onValueChange={setQuery} />
        <Command.List className="palette-list" aria-busy={offer === undefined}>
          {offer && (
            <Command.Item className="palette-item" value="as in the settings" onSelect={() => choose(null)}>
              <span className="palette-item-text">As in the settings</span>
              <span className="palette-item-aside muted small">{offer.current}</span>
              {own === undefined && <Check size={16} aria-label="chosen" />}
            </Command.Item>
          )}
          {offer?.models.map(({ id, name, contextLength }) => (
            <Command.Item key={id} className="palette-item" value={id} keywords={name === undefined ? [] : [name]} onSelect={() => choose(id)}>
              <span className="palette-item-text">{id}</span>
              {contextLength !== undefined && <span className="palette-item-aside muted small">{amount(contextLength)} tokens</span>}
              {own === id && <Check size={16} aria-label="chosen" />}
            </Command.Item>
          ))}
          {offer && typed !== '' && !isKnown && (
            <Command.Item className="palette-item" value={`use ${typed}`} keywords={[typed]} onSelect={() => choose(typed)}>
              <span className="palette-item-text">Use “{typed}”</span>
            </Command.Item>
          )}
          {offer?.reason !== undefined && <p className="palette-none muted small">{offer.reason}</p>}
        </Command.List>
      </Command>
    </Modal>
  );
}
