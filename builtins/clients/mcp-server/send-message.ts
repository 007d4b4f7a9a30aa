// Sends one message, follows its turn until the answer, and forwards decisions to the user.
import { textEnd } from '#lib/text';
import type { Client, OpenChat } from 'agent-harness/client';
import {
  previewRunningText,
  callText,
  endingText,
  lastWords,
  outcomeOf,
  rehearsalSeen,
  type Entry,
  type Transcript,
  type TurnOutcome,
} from 'agent-harness/transcript';
import type { PersonAtClient } from './person-at-client.ts';

export interface AgentAnswer {
  readonly text: string;
  readonly isError?: boolean;
}

export interface CallParts {
  readonly signal: AbortSignal;
  /** Reports progress as one line. */
  say(note: string): void;
}

export interface MessageParts {
  readonly client: Client;
  readonly person: PersonAtClient;
  readonly chatId: string;
  readonly text: string;
}

/** The end of a turn, or the reason why it is no longer awaited. */
type Ending = TurnOutcome | { readonly reason: 'waits'; readonly why: string; readonly text: string };

const shownText = 200;

/** Rejects with the server's error: the chat is busy or unknown. */
export async function sendMessage(message: MessageParts, parts: CallParts): Promise<AgentAnswer> {
  return answerOf(message.chatId, await runTurn(message, parts));
}

/** Runs one tool of the agent without its model. Rejects as {@link sendMessage} does. */
export async function callTool(call: Omit<MessageParts, 'text'> & { readonly name: string; readonly args: object }, parts: CallParts): Promise<AgentAnswer> {
  const ending = await runTurn({ ...call, text: `/call ${call.name} ${JSON.stringify(call.args)}` }, parts);
  // Without a result, the call was invalid or is still running.
  if (!('result' in ending) || ending.result === undefined) return { ...answerOf(call.chatId, ending), isError: true };
  return { text: ending.result.output ?? '', isError: ending.result.ok !== true };
}

async function runTurn({ client, person, chatId, text }: MessageParts, { signal, say }: CallParts): Promise<Ending> {
  const chat = client.open(chatId);
  const { turnId } = await client.call('POST /api/message', { body: { chatId, text } });
  return new Promise((resolve) => {
    const asked = askInTurn(chat, turnId, person, signal, (why) => finish({ reason: 'waits', why, text: lastWords(ofTurn(chat.state.get(), turnId)) }));
    let lastReported: string | undefined;
    const leave = chat.state.subscribe(look);
    signal.addEventListener('abort', onAbort, { once: true });

    function finish(ending: Ending): void {
      leave();
      signal.removeEventListener('abort', onAbort);
      asked.withdraw();
      resolve(ending);
    }

    function look(): void {
      const state = chat.state.get();
      const isTried = state.approvals.some((one) => one.turnId === turnId && one.rehearsal?.state === 'running');
      const line = isTried ? previewRunningText : progressOf(ofTurn(state, turnId).at(-1));
      if (line !== lastReported && line !== undefined) say((lastReported = line));
      const outcome = outcomeOf(state, turnId);
      if (outcome) finish(outcome);
      else asked.see(state);
    }

    function onAbort(): void {
      void chat.abort().catch(() => undefined); // the server is gone, and its turns with it
      finish({ reason: 'aborted', why: endingText('aborted'), text: '' });
    }

    if (signal.aborted) onAbort();
    else look();
  });
}

const ofTurn = ({ entries }: Transcript, turnId: string): readonly Entry[] => entries.filter((entry) => entry.turnId === turnId);

/** Describes the newest entry in one line. */
function progressOf(entry: Entry | undefined): string | undefined {
  if (entry?.kind === 'assistant') return textEnd(entry.text, shownText) || undefined;
  return entry?.kind === 'tool' ? `${entry.name} ${callText(entry)}`.trimEnd() : undefined;
}

interface Asked {
  /** Forwards the turn's pending decisions, and withdraws those that were decided elsewhere. */
  see(state: Transcript): void;
  withdraw(): void;
}

/** @param onOpen called with the description of the decision if no user can decide */
function askInTurn(chat: OpenChat, turnId: string, person: PersonAtClient, signal: AbortSignal, onOpen: (why: string) => void): Asked {
  const asked = new Map<string, AbortController>();

  function pass(id: string, what: string, ask: (stop: AbortSignal) => Promise<boolean>): void {
    if (asked.has(id)) return;
    const controller = new AbortController();
    asked.set(id, controller);
    if (!person.isThere()) return onOpen(what);
    const leaveOpen = (): void => (controller.signal.aborted || !openIds(chat.state.get()).has(id) ? undefined : onOpen(what));
    ask(AbortSignal.any([controller.signal, signal])).then((isDecided) => (isDecided ? undefined : leaveOpen()), leaveOpen);
  }

  return {
    see(state) {
      for (const approval of state.approvals.filter((one) => one.turnId === turnId && one.rehearsal?.state !== 'running')) {
        pass(approval.approvalId, `approval of ${approval.name}: ${approval.reason}`, async (stop) => {
          const decision = await person.approve(approval, stop);
          if (decision !== undefined) await chat.approve(approval.approvalId, { decision, ...rehearsalSeen(approval) });
          return decision !== undefined;
        });
      }
      for (const question of state.questions.filter((one) => one.turnId === turnId)) {
        pass(question.askId, `an answer to: ${question.prompt}`, async (stop) => {
          const answer = await person.answer(question, stop);
          if (answer !== undefined) await chat.answer(question.askId, answer);
          return answer !== undefined;
        });
      }
      const open = openIds(state);
      for (const [id, controller] of asked) if (!open.has(id)) controller.abort();
    },
    withdraw: () => asked.forEach((controller) => controller.abort()),
  };
}

function openIds({ approvals, questions }: Transcript): ReadonlySet<string> {
  return new Set([...approvals.map(({ approvalId }) => approvalId), ...questions.map(({ askId }) => askId)]);
}

function answerOf(chatId: string, { reason, why = '', text }: Ending): AgentAnswer {
  const chat = `(chatId: ${chatId})`;
  if (reason === 'done') return { text: `${text || '(The agent did not reply.)'}\n\n${chat}` };
  const said = text === '' ? '' : `${text}\n\n`;
  if (reason !== 'waits') return { text: `${said}${why}\n\n${chat}`, isError: true };
  const whatNow = 'The user must decide that in the agent; read_chat shows the result.';
  return { text: `${said}The turn is waiting for ${why}\n${whatNow}\n\n${chat}` };
}
