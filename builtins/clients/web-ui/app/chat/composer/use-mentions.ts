// Provides the matches for the mention at the caret: mentions of plugins, and chats.
import type { Client, OpenChat } from 'agent-harness/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { useSettled } from '../../kit/page/use-settled.ts';
import type { Mention } from '../../points/contribution.ts';
import { useContributions } from '../../points/use-contributions.ts';
import { typedMention, withMention } from './mention-text.ts';
import { t } from '../../kit/t.ts';

export interface OfferedMention extends Mention {
  readonly kind: string;
}

export interface MentionChoice {
  /** Empty if there is no mention at the caret. */
  readonly shown: readonly OfferedMention[];
  readonly active: number;
  move(step: 1 | -1): void;
  close(): void;
  /** Returns the message with the selected mention, and the new caret position. */
  taken(mention: Mention): { readonly text: string; readonly caret: number };
}

interface Found {
  readonly query: string;
  readonly mentions: readonly OfferedMention[];
}

const nothing: readonly OfferedMention[] = [];
const maxChats = 5;

/** @param caret position of the caret in the text; `undefined` while text is selected */
export function useMentions(chat: OpenChat, text: string, caret: number | undefined): MentionChoice {
  const client = useClient();
  const contributions = useContributions();
  const typed = caret === undefined ? undefined : typedMention(text, caret);
  const query = useSettled(typed?.query, 100);
  const [found, setFound] = useState<Found>();
  const [closedAt, setClosedAt] = useState<number>();
  const [chosen, setChosen] = useState({ query: '', index: 0 });

  const search = useEffectEvent(async (wanted: string, signal: AbortSignal): Promise<Found> => {
    const sources = contributions.flatMap(({ mentions = [] }) => mentions);
    const lists = await Promise.all(
      sources.map(async ({ title, find }) => {
        const mentions = await find(client, chat.chatId, wanted, signal).catch(() => []);
        return mentions.map((mention) => ({ ...mention, kind: title }));
      }),
    );
    return { query: wanted, mentions: [...lists.flat(), ...chatsFor(client, chat.chatId, wanted)] };
  });
  useEffect(() => {
    if (query === undefined) return;
    const gone = new AbortController();
    void search(query, gone.signal).then((now) => {
      if (!gone.signal.aborted) setFound(now);
    });
    return () => gone.abort();
  }, [query]);

  const isOpen = typed !== undefined && found !== undefined && closedAt !== typed.start && typed.query.startsWith(found.query);
  const shown = isOpen ? fitting(found, typed.query) : nothing;
  const active = chosen.query === typed?.query ? Math.min(chosen.index, Math.max(0, shown.length - 1)) : 0;
  return {
    shown,
    active,
    move: (step) => setChosen({ query: typed?.query ?? '', index: (active + step + shown.length) % shown.length }),
    close: () => setClosedAt(typed?.start),
    taken: ({ insert, goesOn = false }) => (typed && caret !== undefined ? withMention(text, caret, typed, insert, goesOn) : { text, caret: text.length }),
  };
}

function chatsFor(client: Client, chatId: string, wanted: string): OfferedMention[] {
  if (wanted === '') return [];
  const others = client.chats.get().chats.filter((one) => one.chatId !== chatId && one.title.toLowerCase().includes(wanted.toLowerCase()));
  return others
    .slice(0, maxChats)
    .map((one) => ({ kind: t('Chats'), text: one.title, insert: t('the chat “{title}” ({chatId})', { title: one.title, chatId: one.chatId }) }));
}

/** Keeps earlier results that still match while new ones load, to avoid flicker. Excludes the typed name itself. */
function fitting({ query, mentions }: Found, typed: string): readonly OfferedMention[] {
  const wanted = typed.toLowerCase();
  return mentions.filter(({ text, goesOn }) => (query === typed || text.toLowerCase().includes(wanted)) && !(goesOn === true && text === typed));
}
