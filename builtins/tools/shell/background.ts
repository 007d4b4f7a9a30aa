// Manages background commands: one call starts a command, and later calls read its output or end it.
import type { CommandEnd, StartedCommand } from './start-command.ts';
import type { OutputBuffer } from './output-buffer.ts';

export interface BackgroundCommand {
  readonly id: string;
  readonly chatId: string;
  readonly command: string;
  readonly output: OutputBuffer;
  readonly started: StartedCommand;
  /** Number of bytes that have already been read. */
  seen: number;
  /** Result of the command; set when it has ended. */
  end?: CommandEnd;
  /** Resolves at the next output or at the end. */
  changed(): Promise<void>;
}

export interface Background {
  /** Maximum number of concurrent commands per chat. */
  readonly limit: number;
  running(chatId: string): number;
  /** Adds a command; `start` receives a function to call after each output. */
  add(chatId: string, command: string, output: OutputBuffer, start: (onOutput: () => void) => StartedCommand): BackgroundCommand;
  find(chatId: string, id: string): BackgroundCommand | undefined;
  list(chatId: string): readonly BackgroundCommand[];
}

const limit = 16;
/** Maximum number of finished commands per chat whose output is stored. */
const maxEnded = 16;

export function createBackground(): Background {
  const commands = new Map<string, BackgroundCommand>();
  let count = 0;

  const ofChat = (chatId: string): BackgroundCommand[] => [...commands.values()].filter((command) => command.chatId === chatId);

  return {
    limit,
    running: (chatId) => ofChat(chatId).filter((command) => !command.end).length,
    add(chatId, text, output, start) {
      const waiting = new Set<() => void>();
      const wake = (): void => {
        for (const resolve of waiting) resolve();
        waiting.clear();
      };
      const changed = (): Promise<void> => new Promise((resolve) => waiting.add(resolve));
      const command: BackgroundCommand = { id: `cmd_${++count}`, chatId, command: text, output, started: start(wake), seen: 0, changed };
      commands.set(command.id, command);
      void command.started.ended.then((end) => {
        command.end = end;
        wake();
      });
      const ended = ofChat(chatId).filter((one) => one.end);
      for (const old of ended.slice(0, Math.max(0, ended.length - maxEnded))) commands.delete(old.id);
      return command;
    },
    find(chatId, id) {
      const found = commands.get(id);
      return found?.chatId === chatId ? found : undefined;
    },
    list: ofChat,
  };
}
