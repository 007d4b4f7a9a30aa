// Tracks all running commands, so that their owners can end them.

export interface RunningCommands {
  /** Tracks a command until `remove` is called. `end` must resolve when the command's process group has ended. */
  add(chatId: string, end: () => Promise<void>): { remove(): void };
  /** Ends the commands of one chat or of all chats. Resolves when they have ended. */
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
