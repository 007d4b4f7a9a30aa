// Implements the commands of the terminal UI itself, in addition to those of the server.
import { compareCommands } from '#lib/command-order';
import { messageOf } from '#lib/errors';
import { oneLine } from '#lib/text';
import { isUnlisted } from 'agent-harness/transcript';
import type { Pictures } from './composer/pictures.ts';
import type { Chooser } from './overlays/chooser.ts';
import type { ListedCommand } from './overlays/command-list.ts';
import type { Session } from './session.ts';

export interface TerminalCommands {
  /** Returns these commands and the known server commands in display order. */
  list(): readonly ListedCommand[];
  /** Returns whether the name is one of these commands. @param args text after the name */
  run(name: string, args: string): boolean;
  /** Lists the user's messages. The selected message is edited in a fork of the chat that ends before it. */
  chooseMessage(): void;
}

export interface TerminalCommandParts {
  readonly session: Session;
  readonly chooser: Chooser;
  readonly pictures: Pictures;
  /** Replaces the text of the field. */
  write(text: string): void;
  say(text: string): void;
  redraw(): void;
  leave(): void;
  /** Copies a text to the clipboard of the user's terminal. */
  copy(text: string): void;
}

/** Maximum age of the cached command list in milliseconds, because commands can be files that change. */
const freshMs = 10_000;

export function createTerminalCommands({ session, chooser, pictures, write, say, redraw, leave, copy }: TerminalCommandParts): TerminalCommands {
  let ofServer: readonly ListedCommand[] = [];
  /** Chat and time of the last request. */
  let asked: { readonly chatId: string | undefined; readonly at: number } | undefined;

  function attempt(work: () => Promise<void>): void {
    work()
      .catch((fault: unknown) => say(messageOf(fault)))
      .finally(redraw);
  }

  function readCommands(): void {
    const { client, chat } = session;
    if (!client || (asked && asked.chatId === chat?.chatId && performance.now() - asked.at < freshMs)) return;
    const chatId = chat?.chatId;
    asked = { chatId, at: performance.now() };
    attempt(async () => {
      ofServer = (await client.call('GET /api/commands', { query: chatId === undefined ? {} : { chatId } })).commands;
    });
  }

  function chooseChat(): void {
    const { client } = session;
    if (!client) return;
    attempt(async () => {
      await client.refreshChats();
      const choices = client.chats
        .get()
        .chats.filter((one) => !one.archived && !isUnlisted(one))
        .map(({ chatId, title, workspaceRoot, busy }) => ({ value: chatId, label: title, detail: `${busy ? 'works · ' : ''}${workspaceRoot}` }));
      chooser.open('Which chat?', choices, (chatId) => session.show(chatId));
    });
  }

  function chooseModel(): void {
    const { client, chat } = session;
    if (!client || !chat) return;
    attempt(async () => {
      const { models, reason } = await client.call('GET /api/models');
      if (models.length === 0) return say(reason ?? 'The provider lists no models.');
      const choices = models.map(({ id, name }) => ({ value: id, label: id, ...(name === undefined ? {} : { detail: name }) }));
      chooser.open('Which model answers in this chat?', choices, (model) =>
        attempt(async () => {
          await client.call('PATCH /api/chats/:id', { params: { id: chat.chatId }, body: { model } });
          await client.refreshChats();
        }),
      );
    });
  }

  function beginChat(): void {
    const { client, meta } = session;
    if (!client) return;
    attempt(async () => {
      const folder = meta?.workspaceRoot !== undefined ? { workspaceMode: 'folder' as const, workspaceRoot: meta.workspaceRoot } : {};
      const { chatId } = await client.call('POST /api/chats', { body: { ...folder, activate: false } });
      await client.refreshChats();
      session.show(chatId);
    });
  }

  /** Continues in the fork; running work stays in the original chat. */
  function forkChat(): void {
    const { client, chat } = session;
    if (!client || !chat) return;
    attempt(async () => {
      const { chatId, title } = await client.call('POST /api/chats/:id/fork', { params: { id: chat.chatId }, body: {} });
      await client.refreshChats();
      session.show(chatId);
      say(`This is a copy of the chat from here on${title === '' ? '' : `: ${title}`}. /chats goes back.`);
    });
  }

  function chooseMessage(): void {
    const { client, chat } = session;
    if (!client || !chat) return;
    // Excludes messages that were sent during a turn, because a fork cannot end within a turn.
    const said = chat.state
      .get()
      .entries.filter((entry) => entry.kind === 'user')
      .filter(({ origin, isSteer, turnId, state }) => !origin && isSteer !== true && turnId !== undefined && state !== 'queued')
      .reverse();
    if (said.length === 0) return say('This chat has no message that you can go back to.');
    const choices = said.map(({ text, turnId = '' }) => ({ value: turnId, label: oneLine(text, 100) }));
    chooser.open('Go back to before which message?', choices, (turnId) =>
      attempt(async () => {
        const chosen = said.find((entry) => entry.turnId === turnId);
        const { chatId } = await client.call('POST /api/chats/:id/fork', { params: { id: chat.chatId }, body: { beforeTurn: turnId } });
        await client.refreshChats();
        session.show(chatId);
        const query = new URLSearchParams({ chatId: chat.chatId }).toString();
        const files = (chosen?.attachments ?? []).map(({ name, attachmentId = '' }) => ({
          name,
          read: () => client.bytes(`/api/attachments/${attachmentId}?${query}`),
        }));
        write(pictures.ofMessage(chosen?.text ?? '', files));
        say('This is a copy of the chat before that message. /chats goes back.');
      }),
    );
  }

  function copyAnswer(args: string): void {
    const back = args.trim() === '' ? 1 : Number(args);
    if (!Number.isSafeInteger(back) || back < 1) return say('/copy needs a number: 1 is the last answer, 2 the one before.');
    const answers = session.chat?.state.get().entries.filter((entry) => entry.kind === 'assistant' && entry.text.trim() !== '') ?? [];
    const said = answers.at(-back);
    if (said?.kind !== 'assistant') return say(answers.length === 0 ? 'There is no answer to copy yet.' : `There are only ${answers.length} answers here.`);
    copy(said.text);
    say('Copied, if the terminal allows it.');
  }

  const own: Readonly<Record<string, { readonly summary: string; readonly usage?: string; readonly run: (args: string) => void }>> = {
    chats: { summary: 'Switches to another chat.', run: chooseChat },
    new: { summary: 'Starts a new chat in this folder.', run: beginChat },
    fork: { summary: 'Copies this chat and continues in the copy.', run: forkChat },
    models: { summary: 'Chooses the model of this chat.', run: chooseModel },
    copy: { summary: 'Copies the last answer, or the n-th from the end, as markdown.', usage: '[n]', run: copyAnswer },
    exit: { summary: 'Leaves.', run: leave },
    quit: { summary: 'Leaves.', run: leave },
  };

  return {
    chooseMessage,
    list() {
      readCommands();
      const ours = Object.entries(own).map(([name, { summary, usage }]) => ({ name, summary, ...(usage === undefined ? {} : { usage }) }));
      return [...ours, ...ofServer.filter(({ name }) => !Object.hasOwn(own, name))].sort(compareCommands);
    },
    run(name, args) {
      if (!Object.hasOwn(own, name)) return false;
      own[name]?.run(args);
      redraw();
      return true;
    },
  };
}
