// Provides the server's slash commands for completion in editors.
import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { Client } from 'agent-harness/client';
import { BoundedMap } from '#lib/values';

export interface CommandList {
  /** Reads the commands of a chat; returns an empty list on failure. */
  read(chatId: string): Promise<AvailableCommand[]>;
  /** Calls the listener with the new list of a previously read chat after plugins have changed. */
  onChange(listener: (chatId: string, commands: AvailableCommand[]) => void): void;
}

/** Delay, in milliseconds, that combines several plugin changes into one request. */
const gatherMs = 250;
/** Maximum number of cached lists. */
const mostChats = 100;

export function createCommandList(client: Client): CommandList {
  const listeners = new Set<(chatId: string, commands: AvailableCommand[]) => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const known = new BoundedMap<string, string>(mostChats);

  async function read(chatId: string): Promise<AvailableCommand[]> {
    try {
      const { commands } = await client.call('GET /api/commands', { query: { chatId } });
      const list = commands.map(({ name, summary, usage }) => ({ name, description: summary, ...(usage === undefined ? {} : { input: { hint: usage } }) }));
      known.set(chatId, JSON.stringify(list));
      return list;
    } catch {
      return [];
    }
  }

  client.on(({ kind }) => {
    if (kind !== 'plugin_changed') return;
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const [chatId, before] of [...known])
        void read(chatId).then((list) => known.get(chatId) !== before && listeners.forEach((listener) => listener(chatId, list)));
    }, gatherMs).unref();
  });
  return { read, onChange: (listener) => void listeners.add(listener) };
}
