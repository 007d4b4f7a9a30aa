// Provides the list of matching slash commands while a command is being typed, and the selected one.
import type { Client } from 'agent-harness/client';
import { useEffect, useState } from 'react';
import { matchCommands, typedName, type SlashCommand } from './slash-commands.ts';

export interface CommandChoice {
  /** Empty while the list is hidden. */
  readonly shown: readonly SlashCommand[];
  readonly active: number;
  move(step: 1 | -1): void;
  close(): void;
}

const nothing: readonly SlashCommand[] = [];

export function useSlashCommands(client: Client, chatId: string, text: string): CommandChoice {
  const [commands, setCommands] = useState(nothing);
  const [closedFor, setClosedFor] = useState<string>();
  const [chosen, setChosen] = useState({ typed: '', index: 0 });
  const typed = typedName(text);
  const isTyping = typed !== undefined;

  useEffect(() => {
    if (!isTyping) return;
    const left = new AbortController();
    // Loaded each time, because plugins may change. While offline, a command can be sent without the list.
    client.call('GET /api/commands', { query: { chatId }, signal: left.signal }).then(
      (reply) => setCommands(reply.commands),
      () => undefined,
    );
    return () => left.abort();
  }, [client, chatId, isTyping]);

  const shown = isTyping && closedFor !== text ? matchCommands(commands, typed) : nothing;
  const active = chosen.typed === typed ? Math.min(chosen.index, shown.length - 1) : 0;
  return {
    shown,
    active,
    move(step) {
      setChosen({ typed: typed ?? '', index: (active + step + shown.length) % shown.length });
    },
    close: () => setClosedFor(text),
  };
}
