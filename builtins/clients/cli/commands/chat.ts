// `chat`: a conversation by lines, with whatever needs an answer in between.
import { randomUUID } from 'node:crypto';
import { messageOf } from 'agent-harness/lib/errors';
import type { SubmitReply } from 'agent-harness/plugins/agent';
import type { CliOutput } from 'agent-harness/plugins/commands';
import type { PendingApproval, PendingQuestion } from 'agent-harness/plugins/policy';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { createDialogue, type Dialogue } from '../dialogue.ts';
import { withServer } from '../find-server.ts';
import type { Client, ClientEvent } from '../http-client.ts';
import { watchInterrupts } from '../interrupts.ts';
import { isQuiet } from '../is-quiet.ts';
import { readLines } from '../line-reader.ts';
import { createPaint, type Paint } from '../paint.ts';
import { createRenderer, type Renderer } from '../render.ts';
import { oneLine } from '../safe-text.ts';
import { chooseChat, describeChat, whyNoChoice, type ChosenChat } from '../which-chat.ts';

const nobodyThere = 'The person left without an answer.';

export const chat: RunCommand = async (parts, { options, signal }, output) => {
  const why = whyNoChoice(options);
  if (why !== undefined) return refuseUse(output, why);
  return withServer(parts, signal, async (client) => {
    const chosen = await chooseChat(client, options, parts.services.product.startFolder);
    const conversation = createConversation(client, chosen, output, await isQuiet(client));
    await conversation.open();
    const unwatch = watchInterrupts(signal, conversation.interrupt, conversation.leave);
    const reader = readLines(output, conversation.say, conversation.endInput);
    const events = conversation.follow();
    try {
      // Whichever fails first is what the person should read; lines may end long before the events do.
      await Promise.race([events, reader.done.then(() => events)]);
    } finally {
      conversation.leave();
      reader.stop();
      unwatch();
    }
    return exitCodes.done;
  });
};

interface Conversation {
  /** Says hello and shows what already waits for an answer. */
  open(): Promise<void>;
  /** Shows events until somebody leaves. */
  follow(): Promise<void>;
  say(this: void, line: string): Promise<void>;
  endInput(this: void): Promise<void>;
  interrupt(this: void): void;
  leave(this: void): void;
}

function createConversation(client: Client, chosen: ChosenChat, output: CliOutput, saysLittle: boolean): Conversation {
  const { chatId } = chosen;
  const paint = createPaint(output);
  const renderer = createRenderer({ text: (delta) => output.out(delta), note: (line) => output.out(`${line}\n`), isShared: true }, paint, saysLittle);
  const dialogue = createDialogue(client, paint, (text) => output.out(text));
  const turns = createTurnCount();
  const left = new AbortController();
  const leave = (): void => left.abort();
  /** Texts that were sent here, by turn. */
  const said = new Map<string, string>();
  let hasInputEnded = false;
  let isStopping = false;

  function invite(): void {
    if (turns.isIdle() && !dialogue.isOpen() && output.isTerminal) output.out(paint.bold('> '));
  }

  async function send(text: string): Promise<void> {
    const clientId = `cli-${randomUUID()}`;
    turns.sending(clientId);
    try {
      const { turnId } = await client.call<SubmitReply>('POST', '/api/message', { chatId, text, clientId, whenBusy: 'queue' });
      turns.sent(clientId, turnId);
      said.set(turnId, text);
    } catch (fault) {
      turns.sent(clientId, undefined);
      renderer.note(paint.red(`! ${messageOf(fault)}`));
      invite();
    }
  }

  /** It waited behind what was stopped; a terminal has no field to put it back into. */
  function giveBack({ turnId }: ClientEvent): void {
    const text = said.get(String(turnId));
    renderer.note(paint.dim(`Taken back, it was not heard${text === undefined ? '.' : `: ${oneLine(text, 300)}`}`));
  }

  function onTurnEnd(event: ClientEvent): void {
    isStopping = false;
    turns.ended(String(event.turnId));
    if (hasInputEnded && turns.isIdle()) return leave();
    invite();
  }

  return {
    leave,
    async open() {
      if (output.isTerminal) output.out(`${paint.bold(describeChat(chosen))}\n${paint.dim(`/help lists commands, Ctrl-C stops the answer, /exit leaves.`)}\n`);
      await showPending(client, chatId, dialogue);
    },
    async follow() {
      for await (const event of client.stream(chatId, left.signal)) {
        if (event.kind === 'connected') invite();
        if (event.kind === 'turn_start' || event.kind === 'harness_running') turns.started(String(event.turnId));
        if (event.kind === 'message_accepted') showForeign(event, turns, renderer, paint);
        if (event.kind === 'tool_approval' || event.kind === 'ask_user') renderer.endLine();
        if (event['isUnqueued'] === true) giveBack(event);
        else renderer.show(event);
        dialogue.notice(event);
        if (hasInputEnded && dialogue.isOpen()) await dialogue.refuseAll(nobodyThere);
        if (event.kind === 'turn_end') onTurnEnd(event);
      }
    },
    async say(line) {
      if (dialogue.isOpen()) return dialogue.answer(line);
      const text = line.trim();
      if (text === '/exit' || text === '/quit') return leave();
      await (text === '' ? invite() : send(text));
    },
    async endInput() {
      hasInputEnded = true;
      await dialogue.refuseAll(nobodyThere);
      // A person who ends the input wants to go; a script waits for its answers.
      if (output.isInputTerminal || turns.isIdle()) leave();
    },
    interrupt() {
      if (turns.isIdle() || isStopping) return leave();
      isStopping = true;
      renderer.note(paint.dim('Stopping. Ctrl-C once more leaves.'));
      client.call('POST', '/api/session/abort', { chatId }).catch(() => undefined); // it ended by itself in the meantime
    },
  };
}

interface TurnCount {
  sending(clientId: string): void;
  /** The turn of a message, or `undefined` for one that was refused. */
  sent(clientId: string, turnId: string | undefined): void;
  started(turnId: string): void;
  ended(turnId: string): void;
  isOurs(clientId: unknown): boolean;
  isIdle(): boolean;
}

/** Which turns are under way. A short one may end before the reply to its own message is here. */
function createTurnCount(): TurnCount {
  const ours = new Set<string>();
  const unsent = new Set<string>();
  const running = new Set<string>();
  const over = new Set<string>();
  const start = (turnId: string): void => {
    if (!over.has(turnId)) running.add(turnId);
  };
  return {
    sending(clientId) {
      ours.add(clientId);
      unsent.add(clientId);
    },
    sent(clientId, turnId) {
      unsent.delete(clientId);
      if (turnId !== undefined) start(turnId);
    },
    started: start,
    ended(turnId) {
      over.add(turnId);
      running.delete(turnId);
    },
    isOurs: (clientId) => typeof clientId === 'string' && ours.has(clientId),
    isIdle: () => unsent.size === 0 && running.size === 0,
  };
}

/** What somebody else writes into the same chat. */
function showForeign(event: ClientEvent, turns: TurnCount, renderer: Renderer, paint: Paint): void {
  if (!turns.isOurs(event['clientId'])) renderer.note(paint.dim(`» ${oneLine(String(event['text']), 300)}`));
}

async function showPending(client: Client, chatId: string, dialogue: Dialogue): Promise<void> {
  const { approvals, questions } = await client.call<{ approvals: PendingApproval[]; questions: PendingQuestion[] }>('GET', `/api/pending?chatId=${chatId}`);
  for (const approval of approvals) dialogue.notice({ ...approval, kind: 'tool_approval' });
  for (const question of questions) dialogue.notice({ ...question, kind: 'ask_user' });
}
