// Implements `chat`: a line-based conversation that includes approvals and questions.
import { lazy } from '#lib/async';
import { randomUUID } from 'node:crypto';
import { messageOf } from '#lib/errors';
import { oneLine } from '#lib/text';
import type { ReachedChat } from 'agent-harness/builtins/clients/cli';
import type { SubmitReply } from 'agent-harness/plugins/agent';
import type { ChatMeta } from 'agent-harness/plugins/chats';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { emptyTranscript, isIdle, isUnlisted, annotationChangeTexts, outcomeOf, reduce, type Transcript } from 'agent-harness/transcript';
import { viewText, type View } from 'agent-harness/view';
import { exitCodes, refuseUse, type CliInput, type CliParts, type RunCommand } from '../cli-parts.ts';
import { createDialogue } from '../dialogue.ts';
import { findServer, withServer } from '../find-server.ts';
import { openFirstRun, type FirstRun } from '../first-run.ts';
import type { Client } from '../http-client.ts';
import { watchInterrupts } from '../interrupts.ts';
import { isQuiet } from '../is-quiet.ts';
import { readLines } from '../line-reader.ts';
import { words as marks } from '../line-marks.ts';
import { createPaint, type Paint } from '../paint.ts';
import { createRenderer } from '../render.ts';
import { chooseChat, describeChat, whyNoChoice, type ChosenChat } from '../which-chat.ts';

const nobodyThere = 'The user left without answering.';

export const chat: RunCommand = async (parts, { options, signal }, output) => {
  const why = whyNoChoice(options);
  if (why !== undefined) return refuseUse(output, why);
  // Accepts input immediately; the user's plugins are needed only when the first chat is opened.
  const screen = takesScreen(output, options) ? parts.screen() : undefined;
  if (screen) return screen.run({ signal, panels: parts.panels, reach: (work) => reachChat(parts, options, signal, work) }, output);
  await parts.services.kernel.idle();
  return withServer(parts, signal, async (client) => {
    const chosen = await chooseChat(client, options, parts.services.product.startFolder);
    if (options['resume'] === true) return printChats(client, chosen, output);
    const paint = createPaint(options['plain'] === true ? { isTerminal: false } : output);
    const firstRun = await openFirstRun(client, output, paint, signal);
    const conversation = createConversation({ client, chosen, output, paint, firstRun }, await isQuiet(client));
    await conversation.open();
    const unwatch = watchInterrupts(signal, conversation.interrupt, conversation.leave);
    const reader = readLines(output, conversation.say, conversation.endInput);
    const events = conversation.follow();
    try {
      // Reports the first failure, because the input may end long before the event stream does.
      await Promise.race([events, reader.done.then(() => events)]);
    } finally {
      conversation.leave();
      reader.stop();
      unwatch();
    }
    return exitCodes.done;
  });
};

/** Lists the chats and how to continue one, if interactive selection is not possible. */
async function printChats(client: Client, { workspaceRoot }: ChosenChat, output: CliOutput): Promise<number> {
  const { chats } = await client.call<{ chats: ChatMeta[] }>('GET', '/api/chats');
  const rows = chats.filter((one) => one.workspaceRoot === workspaceRoot && !isUnlisted(one));
  for (const { chatId, title } of rows) output.out(`${chatId}  ${oneLine(title, 100)}\n`);
  output.err(`${rows.length === 0 ? 'There is no earlier chat in this folder.' : 'Continue one of them with --chat and its id.'}\n`);
  return exitCodes.done;
}

/** Returns whether to use the terminal UI. Lines are used for screen readers, other programs, and terminals without cursor control. */
function takesScreen({ isTerminal, isInputTerminal }: CliOutput, options: CliInput['options']): boolean {
  return isTerminal && isInputTerminal === true && options['plain'] !== true && process.env['TERM'] !== 'dumb';
}

function reachChat<T>(parts: CliParts, options: CliInput['options'], signal: AbortSignal, work: (reached: ReachedChat) => Promise<T>): Promise<T> {
  return withServer(parts, signal, async (client) => {
    const chosen = await chooseChat(client, options, parts.services.product.startFolder);
    const token = await parts.services.webToken.current();
    await parts.services.kernel.idle();
    const find = (): ReturnType<ReachedChat['find']> => findServer(parts);
    return work({ url: client.url, token, chatId: chosen.chatId, described: describeChat(chosen), isChoosing: options['resume'] === true, find });
  });
}

interface Conversation {
  /** Prints the greeting and pending decisions. */
  open(): Promise<void>;
  /** Prints events until the user leaves. */
  follow(): Promise<void>;
  say(this: void, line: string): Promise<void>;
  endInput(this: void): Promise<void>;
  interrupt(this: void): void;
  leave(this: void): void;
}

interface ConversationParts {
  readonly client: Client;
  readonly chosen: ChosenChat;
  readonly output: CliOutput;
  readonly paint: Paint;
  readonly firstRun: FirstRun;
}

function createConversation({ client, chosen, output, paint, firstRun }: ConversationParts, saysLittle: boolean): Conversation {
  const { chatId } = chosen;
  /** Messages sent from here: client ids, and ids of their turns until these end. */
  const ours = new Set<string>();
  const awaited = new Set<string>();
  let sending = 0;
  let isInvited = false;
  const write = (text: string): void => {
    // Output that arrives during a prompt starts on a new line.
    if (isInvited) output.out('\n');
    isInvited = false;
    output.out(text);
  };
  const screen = { text: write, note: (line: string) => write(`${line}\n`), isShared: true };
  const renderer = createRenderer(screen, paint, { isQuiet: saysLittle, marks, isForeign: ({ clientId }) => clientId === undefined || !ours.has(clientId) });
  const dialogue = createDialogue(client, paint, marks, (text) => {
    renderer.endLine();
    write(text);
  });
  const marked = new Map<string, readonly string[]>();
  const left = new AbortController();
  const leave = (): void => left.abort();
  let transcript: Transcript = emptyTranscript;
  let hasInputEnded = false;
  let isStopping = false;

  /** Returns whether no work is pending. A short turn may end before the reply to its message arrives, and the reply may arrive before the turn starts. */
  function isAtRest(): boolean {
    for (const turnId of awaited) if (outcomeOf(transcript, turnId)) awaited.delete(turnId);
    return sending === 0 && awaited.size === 0 && isIdle(transcript);
  }

  /** Shows the annotations of a displayed entry. */
  function printMarks(entryId: string, labels: readonly string[]): void {
    const entry = transcript.entries.find(({ id }) => id === entryId);
    if (!entry) return;
    for (const line of annotationChangeTexts(entry, marked.get(entryId) ?? [], labels)) renderer.note(paint.dim(marks.trace(oneLine(line, 300))));
    marked.set(entryId, labels);
    invite();
  }

  function invite(): void {
    if (isInvited || !isAtRest() || dialogue.isOpen() || firstRun.isOpen() || !output.isTerminal) return;
    output.out(paint.bold(marks.prompt));
    isInvited = true;
  }

  function rest(): void {
    if (!isAtRest()) return;
    if (hasInputEnded) leave();
    else invite();
  }

  async function send(text: string): Promise<void> {
    const clientId = `cli-${randomUUID()}`;
    ours.add(clientId);
    sending++;
    try {
      const { turnId } = await client.call<SubmitReply>('POST', '/api/message', { chatId, text, clientId, whenBusy: 'queue' });
      awaited.add(turnId);
    } catch (fault) {
      renderer.note(paint.red(marks.fault(messageOf(fault))));
    }
    sending--;
    rest();
  }

  /** Commands that are not sent as messages, because their replies are secret or they affect the running turn. */
  const commandsApart = lazy(() =>
    client
      .call<{ commands: readonly { name: string; isSecret?: boolean; isImmediate?: boolean }[] }>('GET', '/api/commands')
      .then(({ commands }) => commands.filter(({ isSecret, isImmediate }) => isSecret === true || isImmediate === true).map(({ name }) => name))
      // An older or unreachable server; sending the message reports the problem.
      .catch((): string[] => []),
  );

  /** Runs the line locally if it is one of {@link commandsApart}; returns whether it is. */
  async function runApart(line: string): Promise<boolean> {
    const [, name = '', args = ''] = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/.exec(line) ?? [];
    if (name === '' || !(await commandsApart()).includes(name)) return false;
    try {
      const { text, view } = await client.call<{ text: string; view?: View }>('POST', '/api/commands', { chatId, name, args });
      renderer.note(view ? viewText(view, { columns: 100, isDrawn: marks.isDrawn, command: '/view' }) : text);
    } catch (fault) {
      renderer.note(paint.red(marks.fault(messageOf(fault))));
    }
    return true;
  }

  return {
    leave,
    async open() {
      if (output.isTerminal) output.out(`${paint.bold(describeChat(chosen))}\n${paint.dim(`/help lists commands, Ctrl-C stops the answer, /exit leaves.`)}\n`);
      const pending = await client.call<Pick<Transcript, 'approvals' | 'questions'>>('GET', `/api/pending?chatId=${chatId}`);
      firstRun.ask();
      transcript = { ...transcript, ...pending };
      dialogue.see(transcript);
    },
    async follow() {
      for await (const event of client.stream(chatId, left.signal)) {
        if (event.kind === 'connected') invite();
        const before = transcript;
        const wasAtRest = isAtRest();
        transcript = reduce(before, [event]).state;
        renderer.show(before, transcript);
        if (event.kind === 'entry_marked') printMarks(event['entryId'] as string, event['marks'] as readonly string[]);
        dialogue.see(transcript);
        if (hasInputEnded && dialogue.isOpen()) await dialogue.refuseAll(nobodyThere);
        if (before.running?.turnId !== transcript.running?.turnId) isStopping = false;
        if (!wasAtRest) rest();
      }
    },
    async say(line) {
      isInvited = false;
      if (dialogue.isOpen()) return dialogue.answer(line);
      const text = line.trim();
      if (text === '/exit' || text === '/quit') return leave();
      if (firstRun.isOpen()) return firstRun.take(line).then(invite);
      if (text === '') return invite();
      sending++;
      const isDone = await runApart(text);
      sending--;
      await (isDone ? rest() : send(text));
    },
    async endInput() {
      hasInputEnded = true;
      await dialogue.refuseAll(nobodyThere);
      // For a user, the end of input ends the session; for a script, the command still waits for the answers.
      if (output.isInputTerminal || isAtRest()) leave();
    },
    interrupt() {
      if (isAtRest() || isStopping) return leave();
      isStopping = true;
      renderer.note(paint.dim('Note: Stopping. Press Ctrl-C again to leave.'));
      client.call('POST', '/api/session/abort', { chatId }).catch(() => undefined); // the turn ended in the meantime
    },
  };
}
