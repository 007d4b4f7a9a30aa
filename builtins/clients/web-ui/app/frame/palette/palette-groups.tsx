// What the palette offers, by group.
import { Command, defaultFilter } from 'cmdk';
import { Bot, Contrast, FolderOpen, Keyboard, MessageSquare, Slash, Square, SquarePen } from 'lucide-react';
import { use, useMemo, type ReactNode } from 'react';
import { ChatContext, goTo, hashOf, useClient, useStore } from '../../kit/hooks.ts';
import { useShell } from '../../kit/shell-context.ts';
import { themes } from '../../kit/theme.ts';
import { useChatActions } from '../../chats/use-chat-actions.ts';
import type { SlashCommand } from './use-palette-commands.ts';
import { routeOf } from '../../points/contribution.ts';
import { useExtraChatActions, usePages } from '../../points/use-contributions.ts';
import { shortPath } from '../../kit/words.ts';

type Then = (work: () => void) => () => void;

const chatsShown = 20;
/** Below it the letters are somewhere in a long title, but nobody meant them. */
const worstScore = 0.03;

interface ItemProps {
  readonly value: string;
  readonly icon: ReactNode;
  readonly words?: readonly string[];
  readonly aside?: ReactNode;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

function Item({ value, icon, words = [], aside, onSelect, children }: ItemProps) {
  return (
    <Command.Item className="palette-item" value={value} keywords={[...words]} onSelect={onSelect}>
      {icon}
      <span className="palette-item-text">{children}</span>
      {aside !== undefined && <span className="palette-item-aside muted small">{aside}</span>}
    </Command.Item>
  );
}

export function PaletteActions({ then }: { readonly then: Then }) {
  const chat = use(ChatContext);
  const { attempt, openDialog, setTheme, theme } = useShell();
  const actions = useChatActions();
  const extra = useExtraChatActions();
  const isRunning = chat?.state.get().running !== undefined;
  return (
    <Command.Group className="palette-group" heading="Actions">
      {chat && isRunning && (
        <Item value="Stop the turn" words={['abort', 'cancel']} icon={<Square size={16} aria-hidden />} onSelect={then(() => attempt(() => chat.abort()))}>
          Stop the turn
        </Item>
      )}
      <Item value="New chat" icon={<SquarePen size={16} aria-hidden />} onSelect={then(() => attempt(() => actions.create()))}>
        New chat
      </Item>
      <Item value="New chat in folder" icon={<FolderOpen size={16} aria-hidden />} onSelect={then(() => openDialog('new-chat'))}>
        New chat in folder…
      </Item>
      {chat && (
        <Item value="Model of this chat" words={['provider', 'switch']} icon={<Bot size={16} aria-hidden />} onSelect={then(() => openDialog('model'))}>
          Model of this chat…
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
            {action.long}
          </Item>
        ))}
      {themes
        .filter(({ name }) => name !== theme)
        .map(({ name, label }) => (
          <Item
            key={name}
            value={`Theme: ${label}`}
            words={['dark mode', 'appearance']}
            icon={<Contrast size={16} aria-hidden />}
            onSelect={then(() => setTheme(name))}
          >
            Theme: {label.toLowerCase()}
          </Item>
        ))}
      <Item value="Keyboard shortcuts" words={['keys', 'help']} icon={<Keyboard size={16} aria-hidden />} onSelect={then(() => openDialog('shortcuts'))}>
        Keyboard shortcuts
      </Item>
    </Command.Group>
  );
}

/** Thousands of items would make each key slow, so only the best of the chats become some. */
export function PaletteChats({ query, onPick }: { readonly query: string; readonly onPick: (chatId: string) => void }) {
  const { chats } = useStore(useClient().chats);
  const shown = useMemo(() => {
    if (query.trim() === '') return chats.filter((chat) => !chat.archived).slice(0, 6);
    return chats
      .map((chat) => ({ chat, score: defaultFilter(chat.title, query, [chat.workspaceRoot, ...chat.tags]) }))
      .filter(({ score }) => score > worstScore)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, chatsShown)
      .map(({ chat }) => chat);
  }, [chats, query]);
  return (
    <Command.Group className="palette-group" heading="Chats">
      {shown.map((chat) => (
        <Item
          key={chat.chatId}
          value={`${chat.title} ${chat.chatId}`}
          words={[chat.workspaceRoot]}
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

export function PalettePages({ then }: { readonly then: Then }) {
  const pages = usePages().filter(({ place }) => place === undefined || place === 'chats');
  return (
    <Command.Group className="palette-group" heading="Pages">
      {pages.map((link) => (
        <Item
          key={hashOf(routeOf(link))}
          value={`Page: ${link.title}${link.id === undefined ? '' : ` ${link.id}`}`}
          icon={<link.icon size={16} aria-hidden />}
          onSelect={then(() => goTo(routeOf(link)))}
        >
          {link.title}
        </Item>
      ))}
    </Command.Group>
  );
}

export function PaletteCommands({ commands, onPick }: { readonly commands: readonly SlashCommand[]; readonly onPick: (command: SlashCommand) => void }) {
  return (
    <Command.Group className="palette-group" heading="Slash commands">
      {commands.map((command) => (
        <Item
          key={command.name}
          value={`/${command.name}`}
          words={[command.summary]}
          icon={<Slash size={16} aria-hidden />}
          aside={command.summary}
          onSelect={() => onPick(command)}
        >
          /{command.name}
        </Item>
      ))}
    </Command.Group>
  );
}
