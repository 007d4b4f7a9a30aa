// Every command that runs now, so that whoever owns them can end them.

export interface RunningCommands {
  /** Keeps a command until `remove`. `end` resolves when its process group is gone. */
  add(chatId: string, end: () => Promise<void>): { remove(): void };
  /** Of one chat, or all. Resolves when they are gone. */
  endAll(chatId?: string): Promise<void>;
}

export function createRunningCommands(): RunningCommands {
  const commands = new Set<{ readonly chatId: string; readonly end: () => Promise<void> }>();
  return {
    add(chatId, end) {
      const command = { chatId, end };
      commands.add(command);
      return { remove: () => void commands.delete(command) };
    },
    async endAll(chatId) {
      const chosen = [...commands].filter((command) => chatId === undefined || command.chatId === chatId);
      await Promise.all(chosen.map((command) => command.end()));
    },
  };
}
