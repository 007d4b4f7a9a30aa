// One message and its turn: from the submission to the answer, with whatever a person must decide in between.
import type { Client, WireEvent } from 'agent-harness/client';
import type { PendingApproval, PendingQuestion } from 'agent-harness/plugins/policy';
import type { PersonAtClient } from './person-at-client.ts';

export interface AgentAnswer {
  readonly text: string;
  readonly isError?: boolean;
}

export interface CallParts {
  readonly signal: AbortSignal;
  /** A line for people while it runs. */
  say(note: string): void;
}

export interface MessageParts {
  readonly client: Client;
  readonly person: PersonAtClient;
  readonly chatId: string;
  readonly text: string;
}

type Ending =
  | { readonly kind: 'ended'; readonly reason: string; readonly error?: string }
  | { readonly kind: 'waits'; readonly what: string }
  | { readonly kind: 'aborted' };

/** For what the stream of events missed. */
const lookEveryMs = 2_000;
const shownText = 200;

/** Rejects with the server's refusal: the chat is busy or unknown. */
export async function sendMessage(message: MessageParts, parts: CallParts): Promise<AgentAnswer> {
  const { turnId, ending } = await runTurn(message, parts);
  return answerOf(message.client, message.chatId, turnId, ending);
}

/** One tool of the agent, without its model. Rejects like {@link sendMessage}. */
export async function callTool(call: Omit<MessageParts, 'text'> & { readonly name: string; readonly args: object }, parts: CallParts): Promise<AgentAnswer> {
  const { turnId, ending } = await runTurn({ ...call, text: `/call ${call.name} ${JSON.stringify(call.args)}` }, parts);
  const entries = await entriesOf(call.client, call.chatId, turnId);
  const result = entries.findLast((entry) => entry.kind === 'tool' && typeof entry.ok === 'boolean');
  if (result) return { text: result.output ?? '', isError: result.ok !== true };
  // Without a result the call did not fit, or it is not over.
  return { ...(await answerOf(call.client, call.chatId, turnId, ending)), isError: true };
}

async function runTurn({ client, person, chatId, text }: MessageParts, { signal, say }: CallParts): Promise<{ turnId: string; ending: Ending }> {
  const early: WireEvent[] = [];
  let take = (event: WireEvent): void => void early.push(event);
  const leave = client.on((event) => (event.chatId === chatId ? take(event) : undefined));
  try {
    const { turnId } = await client.call('POST /api/message', { body: { chatId, text } });
    const turn = followTurn({ client, person, chatId, turnId, signal, say });
    take = turn.take;
    for (const event of early) take(event);
    return { turnId, ending: await turn.over };
  } finally {
    leave();
  }
}

interface TurnParts {
  readonly client: Client;
  readonly person: PersonAtClient;
  readonly chatId: string;
  readonly turnId: string;
  readonly signal: AbortSignal;
  say(note: string): void;
}

function followTurn({ client, person, chatId, turnId, signal, say }: TurnParts): { take(event: WireEvent): void; readonly over: Promise<Ending> } {
  /** What is being asked, by its id; it is withdrawn when somebody else decides. */
  const asked = new Map<string, AbortController>();
  let finish: (ending: Ending) => void = () => undefined;
  const over = new Promise<Ending>((resolve) => (finish = resolve));
  let spoken = '';

  function pass(id: string, what: string, ask: (stop: AbortSignal) => Promise<boolean>): void {
    if (asked.has(id)) return;
    const controller = new AbortController();
    asked.set(id, controller);
    if (!person.isThere()) return finish({ kind: 'waits', what });
    ask(AbortSignal.any([controller.signal, signal])).then(
      (isDecided) => (isDecided ? undefined : finish({ kind: 'waits', what })),
      () => (controller.signal.aborted ? undefined : finish({ kind: 'waits', what })),
    );
  }

  function passApproval(approval: PendingApproval): void {
    const { approvalId, name, reason } = approval;
    pass(approvalId, `approval of ${name}: ${reason}`, async (stop) => {
      const decision = await person.approve(approval, stop);
      if (decision !== undefined) await client.call('POST /api/approve', { body: { approvalId, decision } });
      return decision !== undefined;
    });
  }

  function passQuestion(question: PendingQuestion): void {
    const { askId, prompt } = question;
    pass(askId, `an answer to: ${prompt}`, async (stop) => {
      const answer = await person.answer(question, stop);
      if (answer !== undefined) await client.call('POST /api/answer', { body: { askId, answer } });
      return answer !== undefined;
    });
  }

  function take(event: WireEvent): void {
    if (event.turnId !== turnId) return;
    if (event.kind === 'text' && event['channel'] === 'user') say((spoken = (spoken + String(event['delta'])).slice(-shownText)));
    if (event.kind === 'tool_start' && event['args'] !== undefined) say(`uses ${String(event['name'])}`);
    if (event.kind === 'tool_approval') passApproval(event as unknown as PendingApproval);
    if (event.kind === 'ask_user') passQuestion(event as unknown as PendingQuestion);
    if (event.kind === 'approval_decision') asked.get(String(event['approvalId']))?.abort();
    if (event.kind === 'ask_user_answered') asked.get(String(event['askId']))?.abort();
    if (event.kind === 'turn_end') {
      const error = event['error'] as { readonly message?: string } | undefined;
      finish({ kind: 'ended', reason: String(event['reason']), ...(error?.message === undefined ? {} : { error: error.message }) });
    }
  }

  async function look(): Promise<void> {
    const { approvals, questions } = await client.call('GET /api/pending', { query: { chatId } });
    for (const approval of approvals as unknown as PendingApproval[]) if (approval.turnId === turnId) passApproval(approval);
    for (const question of questions as unknown as PendingQuestion[]) if (question.turnId === turnId) passQuestion(question);
    const { chats } = await client.call('GET /api/status');
    const own = chats.find((chat) => chat.chatId === chatId);
    if (!own?.busy || (own.turnId !== undefined && own.turnId !== turnId)) finish({ kind: 'ended', reason: 'done' });
  }

  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs);
  const onAbort = (): void => {
    client.call('POST /api/session/abort', { body: { chatId } }).catch(() => undefined); // it ended by itself in the meantime
    finish({ kind: 'aborted' });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const settled = over.finally(() => {
    clearInterval(timer);
    signal.removeEventListener('abort', onAbort);
    for (const controller of asked.values()) controller.abort();
  });
  return { take, over: settled };
}

async function answerOf(client: Client, chatId: string, turnId: string, ending: Ending): Promise<AgentAnswer> {
  const said = await lastWords(client, chatId, turnId);
  const chat = `\n\n(chatId: ${chatId})`;
  if (ending.kind === 'aborted') return { text: `The turn was stopped.${chat}`, isError: true };
  if (ending.kind === 'waits') {
    return {
      text: `${said === '' ? '' : `${said}\n\n`}The turn is not over: it waits for ${ending.what}\nSomebody must decide that in the agent itself; read_chat shows what came of it.${chat}`,
    };
  }
  if (ending.reason === 'done') return { text: `${said || '(The agent said nothing.)'}${chat}` };
  return {
    text: `${said === '' ? '' : `${said}\n\n`}The turn ended with '${ending.reason}'${ending.error === undefined ? '.' : `: ${ending.error}`}${chat}`,
    isError: true,
  };
}

async function lastWords(client: Client, chatId: string, turnId: string): Promise<string> {
  const said = (await entriesOf(client, chatId, turnId)).findLast(({ kind, text }) => kind === 'assistant' && typeof text === 'string' && text !== '');
  return (said?.text as string | undefined) ?? '';
}

interface TurnEntry {
  readonly kind: string;
  readonly turnId?: string;
  readonly text?: unknown;
  readonly ok?: unknown;
  readonly output?: string;
}

async function entriesOf(client: Client, chatId: string, turnId: string): Promise<TurnEntry[]> {
  const { entries } = await client.call('GET /api/chats/:id/transcript', { params: { id: chatId } });
  return (entries as readonly TurnEntry[]).filter((entry) => entry.turnId === turnId);
}
