// Renders the items of the palette in groups.
import { Command, defaultFilter } from 'cmdk';
import { Bot, Contrast, FolderOpen, Keyboard, Languages, MessageSquare, PlugZap, Search, Slash, Square, SquarePen } from 'lucide-react';
import { use, useMemo, type ReactNode } from 'react';
import type { ChatMeta } from 'agent-harness/client';
import { isUnlisted } from 'agent-harness/transcript';
import { ChatContext, goTo, hashOf, useClient, useStore } from '../../kit/hooks.ts';
import { useShell } from '../../kit/shell-context.ts';
import { themes } from '../../kit/theme.ts';
import { useChatActions } from '../../chats/use-chat-actions.ts';
import type { SlashCommand } from './use-palette-commands.ts';
import { routeOf } from '../../points/contribution.ts';
import { useExtraChatActions, usePages } from '../../points/use-contributions.ts';
import { usePermission } from '../../points/use-permission.ts';
import { filterChats } from '../sidebar/chat-groups.ts';
import { inSentence, shortPath } from '../../kit/short-texts.ts';
import { chooseLanguage, language, nameOfLanguage, stockLanguages } from '../../kit/language.ts';
import { localeNow, t } from '../../kit/t.ts';

type Then = (work: () => void) => () => void;

const chatsShown = 20;
/** Minimum score of a match; below it, the letters are only scattered across a long text. */
const worstScore = 0.03;
/** The item that searches the messages; it is shown below all matching items. */
const searchValue = 'Search the messages';
const leastScore = 1e-6;

/** Returns how well a text matches the query, from 0 to 1; 0 for no match. */
export function scoreOf(text: string, query: string, words?: readonly string[]): number {
  if (text === searchValue) return leastScore;
  const score = defaultFilter(text, query, words && [...words]);
  return score > worstScore ? score : 0;
}

interface ItemProps {
  readonly value: string;
  readonly icon: ReactNode;
  readonly words?: readonly string[] | undefined;
  readonly aside?: ReactNode;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

/** Renders an item, which can also be found by its translated text. */
function Item({ value, icon, words = [], aside, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      className="palette-item"
      value={value}
      keywords={[...words, ...(localeNow() === 'en' ? [] : [children, aside].filter((shown) => typeof shown === 'string'))]}
      onSelect={onSelect}
    >
      {icon}
      <span className="palette-item-text one-line" dir="auto">
        {children}
      </span>
      {aside !== undefined && <span className="palette-item-aside muted small">{aside}</span>}
    </Command.Item>
  );
}

export function PaletteActions({ then }: { readonly then: Then }) {
  const chat = use(ChatContext);
  const { attempt, openDialog, setTheme, theme } = useShell();
  const actions = useChatActions();
  const extra = useExtraChatActions();
  const mayManage = usePermission('chats.manage');
  const mayConnect = usePermission();
  const mayStop = usePermission('chats.write');
  const isRunning = chat?.state.get().running !== undefined;
  return (
    <Command.Group className="palette-group" heading={t('Actions')}>
      {chat && isRunning && mayStop && (
        <Item value="Stop the turn" words={['abort', 'cancel']} icon={<Square size={16} aria-hidden />} onSelect={then(() => attempt(() => chat.abort()))}>
          {t('Stop the turn')}
        </Item>
      )}
      {mayManage && (
        <>
          <Item value="New chat" icon={<SquarePen size={16} aria-hidden />} onSelect={then(() => attempt(() => actions.create()))}>
            {t('New chat')}
          </Item>
          <Item value="New chat in folder" icon={<FolderOpen size={16} aria-hidden />} onSelect={then(() => openDialog('new-chat'))}>
            {t('New chat in folder…')}
          </Item>
        </>
      )}
      {mayManage && (
        <Item
          value={chat ? 'Model of this chat' : 'Model of all chats'}
          words={['provider', 'switch']}
          icon={<Bot size={16} aria-hidden />}
          onSelect={then(() => openDialog('model'))}
        >
          {chat ? t('Model of this chat…') : t('Model of all chats…')}
        </Item>
      )}
      {mayConnect && (
        <Item
          value="Connect a model"
          words={['provider', 'key', 'local', 'ollama', 'openrouter']}
          icon={<PlugZap size={16} aria-hidden />}
          onSelect={then(() => openDialog('connect'))}
        >
          {t('Connect a model…')}
        </Item>
      )}
      {chat &&
        extra.map((action) => (
          <Item
            key={action.title}
            value={action.title}
            words={action.words}
            icon={<action.icon size={16} aria-hidden />}
            onSelect={then(() => actions.run(action, chat.chatId))}
          >
            {t(action.long)}
          </Item>
        ))}
      {themes
        .filter(({ name }) => name !== theme)
        .map(({ name, label }) => (
          <Item
            key={name}
            value={`Theme: ${name}`}
            words={['dark mode', 'appearance']}
            icon={<Contrast size={16} aria-hidden />}
            onSelect={then(() => setTheme(name))}
          >
            {t('Theme: {label}', { label: inSentence(t(label)) })}
          </Item>
        ))}
      {stockLanguages()
        .filter((tag) => tag !== language.get())
        .map((tag) => (
          <Item
            key={tag}
            value={`Language: ${nameOfLanguage(tag)}`}
            words={['translation', t('Language'), tag]}
            icon={<Languages size={16} aria-hidden />}
            onSelect={then(() => attempt(() => chooseLanguage(tag)))}
          >
            <span lang={tag}>{nameOfLanguage(tag)}</span>
          </Item>
        ))}
      <Item value="Keyboard shortcuts" words={['keys', 'help']} icon={<Keyboard size={16} aria-hidden />} onSelect={then(() => openDialog('shortcuts'))}>
        {t('Keyboard shortcuts')}
      </Item>
    </Command.Group>
  );
}

/** Renders only the best matching chats, because thousands of items would slow down every key press. */
export function PaletteChats({ query, onPick }: { readonly query: string; readonly onPick: (chatId: string) => void }) {
  const { chats } = useStore(useClient().chats);
  const shown = useMemo(() => {
    if (query.trim() === '') return chats.filter((chat) => !chat.archived && !isUnlisted(chat)).slice(0, 6);
    const hits = new Set(filterChats(chats, query));
    return chats
      .filter((chat) => !isUnlisted(chat))
      .map((chat) => ({ chat, score: scoreOf(chat.title, query, [chat.workspaceRoot ?? '', ...chat.tags]) || (hits.has(chat) ? worstScore : 0) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, chatsShown)
      .map(({ chat }) => chat);
  }, [chats, query]);
  return (
    <Command.Group className="palette-group" heading={t('Chats')}>
      {shown.map((chat) => (
        <Item
          key={chat.chatId}
          value={valueOf(chat, query)}
          words={[chat.workspaceRoot ?? '', ...chat.tags]}
          icon={<MessageSquare size={16} aria-hidden />}
          aside={shortPath(chat.workspaceRoot, 24)}
          onSelect={() => onPick(chat.chatId)}
        >
          {chat.title}
        </Item>
      ))}
    </Command.Group>
  );
}

/**
 * Returns the value of an item. The palette filters its items again, so a chat that matches in another word order or without accents uses the query itself as
 * its value.
 */
function valueOf({ title, chatId, workspaceRoot = '', tags }: ChatMeta, query: string): string {
  const value = `${title} ${chatId}`;
  return scoreOf(value, query, [workspaceRoot, ...tags]) > 0 ? value : `${value} ${query.trim()}`;
}

export function PalettePages({ then }: { readonly then: Then }) {
  const pages = usePages().filter(({ place }) => place === undefined || place === 'first' || place === 'chats' || place === 'begin');
  return (
    <Command.Group className="palette-group" heading={t('Pages')}>
      {pages.map((link) => (
        <Item
          key={hashOf(routeOf(link))}
          value={`Page: ${link.title}${link.id === undefined ? '' : ` ${link.id}`}`}
          words={link.words?.split(' ')}
          icon={<link.icon size={16} aria-hidden />}
          onSelect={then(() => goTo(routeOf(link)))}
        >
          {t(link.title)}
        </Item>
      ))}
    </Command.Group>
  );
}

/** Renders a link to the search page with the query, because the palette searches names only. */
export function PaletteSearch({ query, then }: { readonly query: string; readonly then: Then }) {
  const hasPage = usePages().some(({ page }) => page === 'search');
  const wanted = query.trim();
  if (!hasPage || wanted === '') return null;
  return (
    <Command.Group className="palette-group">
      <Item value={searchValue} icon={<Search size={16} aria-hidden />} onSelect={then(() => goTo({ page: 'search', id: wanted }))}>
        {t('Search messages for “{query}”', { query: wanted })}
      </Item>
    </Command.Group>
  );
}

export function PaletteCommands({ commands, onPick }: { readonly commands: readonly SlashCommand[]; readonly onPick: (command: SlashCommand) => void }) {
  return (
    <Command.Group className="palette-group" heading={t('Slash commands')}>
      {commands.map((command) => (
        <Item
          key={command.name}
          value={`/${command.name}`}
          words={[command.summary]}
          icon={<Slash size={16} aria-hidden />}
          aside={t(command.summary)}
          onSelect={() => onPick(command)}
        >
          /{command.name}
        </Item>
      ))}
    </Command.Group>
  );
}
