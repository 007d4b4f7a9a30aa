// Implements `run`: runs one turn, and writes its text to standard output and everything else to standard error.
import { oneLine } from '#lib/text';
import type { CliOutput } from 'agent-harness/plugins/commands';
import type { SubmitReply } from 'agent-harness/plugins/agent';
import { emptyTranscript, outcomeOf, reduce, type Transcript, type TurnOutcome } from 'agent-harness/transcript';
import { exitCodes, refuseUse, type CliInput, type RunCommand } from '../cli-parts.ts';
import { readAttached } from '../attached-files.ts';
import { createDialogue, ignoreSettled, refuse } from '../dialogue.ts';
import { withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { readLines } from '../line-reader.ts';
import { signs } from '../line-marks.ts';
import { createPaint } from '../paint.ts';
import { createRenderer, type Renderer } from '../render.ts';
import { isQuiet } from '../is-quiet.ts';
import { readAll, readPiped, withPiped, type OutgoingMessage } from '../piped-input.ts';
import { chooseChat, describeWithId, whyNoChoice, type ChosenChat } from '../which-chat.ts';

/** Time limit for a turn to end after an abort, in milliseconds. */
const stopWaitMs = 5_000;
const noTerminal = 'No user is at the terminal to answer this.';

export const run: RunCommand = async (parts, input, output) => {
  const { options, signal } = input;
  const { startFolder } = parts.services.product;
  const why = whyNoChoice(options);
  if (why !== undefined) return refuseUse(output, why);
  const spoken = input.positionals.join(' ').trim();
  const { redirectedInput } = output;
  const readsInput = spoken === '-' || (spoken === '' && redirectedInput === 'pipe');
  const piped = readsInput || !redirectedInput ? '' : await readPiped(output, redirectedInput);
  const asked = readsInput ? (await readAll(output.lines(), signal)).trim() : spoken || piped.trim();
  if (signal.aborted) return exitCodes.interrupted;
  if (asked === '') return refuseUse(output, "'run' needs a text, or '-' and the text on standard input.");
  const attached = await readAttached(input.lists?.['attach'] ?? [], startFolder);
  if (typeof attached === 'string') return refuseUse(output, attached);
  const message = withPiped(asked, spoken === '' ? '' : piped, attached);
  const person = output.isInputTerminal === true && !readsInput ? 'person' : 'none';
  return withServer(parts, signal, async (client) => {
    const chosen = await chooseChat(client, options, startFolder);
    return runTurn(client, chosen, message, input, output, options['yes'] === true ? 'yes' : person);
  });
};

async function runTurn(
  client: Client,
  chosen: ChosenChat,
  message: OutgoingMessage,
  { options, signal }: CliInput,
  output: CliOutput,
  asks: Asks,
): Promise<number> {
  const { chatId } = chosen;
  const paint = createPaint(output);
  const renderer = createRenderer({ text: (delta) => output.out(delta), note: (line) => output.err(`${line}\n`), isShared: output.isTerminal }, paint, {
    isQuiet: await isQuiet(client),
  });
  const isJson = options['json'] === true;
  renderer.note(paint.dim(describeWithId(chosen)));
  const answers = answerWith(asks, client, output, renderer);
  let chat: Transcript = emptyTranscript;
  const end = new AbortController();
  const stop = (): void => {
    client.call('POST', '/api/session/abort', { chatId }).catch(() => undefined); // the turn ended in the meantime
    const timer = setTimeout(() => end.abort(), stopWaitMs);
    end.signal.addEventListener('abort', () => clearTimeout(timer));
  };
  try {
    const events = client.stream(chatId, end.signal);
    await events.next(); // connected: no later event of the turn can be missed
    const { turnId } = await client.call<SubmitReply>('POST', '/api/message', { chatId, ...message });
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    for await (const event of events) {
      if (event.kind === 'resync' && !(await isRunning(client, chatId, turnId))) break;
      if (event.turnId !== turnId) continue;
      const before = chat;
      chat = reduce(before, [event]).state;
      if (isJson) output.out(`${JSON.stringify(event)}\n`);
      else renderer.show(before, chat);
      await answers.see(chat);
      const outcome = outcomeOf(chat, turnId);
      if (outcome) return signal.aborted && outcome.reason === 'aborted' ? exitCodes.interrupted : exitCodeOf(outcome, answers.wasUnanswered());
    }
    renderer.note(signal.aborted ? 'The turn did not stop in time.' : `The end of the turn was missed; see 'chats show ${chatId}'.`);
    return signal.aborted ? exitCodes.interrupted : exitCodes.failed;
  } finally {
    signal.removeEventListener('abort', stop);
    answers.stop();
    end.abort();
  }
}

type Asks = 'person' | 'yes' | 'none';

interface Answers {
  see(chat: Transcript): Promise<void>;
  /** Returns whether a request was denied because no user could answer it. */
  wasUnanswered(): boolean;
  stop(): void;
}

function answerWith(asks: Asks, client: Client, output: CliOutput, renderer: Renderer): Answers {
  return asks === 'person' ? askPerson(client, output, renderer) : answerAlone(asks, client, renderer);
}

function answerAlone(asks: 'yes' | 'none', client: Client, renderer: Renderer): Answers {
  let wasUnanswered = false;
  const seen = new Set<string>();
  const isNew = (id: string): boolean => !seen.has(id) && seen.add(id).has(id);
  return {
    wasUnanswered: () => wasUnanswered,
    stop: () => undefined,
    async see({ approvals, questions }) {
      for (const { approvalId, name } of approvals.filter((one) => isNew(one.approvalId))) {
        if (asks === 'yes') {
          renderer.note(`Approved because of --yes: ${oneLine(name, 100)}`);
          await client.call('POST', '/api/approve', { approvalId, decision: 'approve' }).catch(ignoreSettled);
          continue;
        }
        wasUnanswered = true;
        renderer.note(`Denied, because no user is at the terminal to approve it: ${oneLine(name, 100)}. Use --yes to approve it.`);
        await refuse(client, 'approval', approvalId, noTerminal);
      }
      for (const { askId, prompt } of questions.filter((one) => isNew(one.askId))) {
        wasUnanswered = true;
        renderer.note(`Not answered, because no user is at the terminal: ${oneLine(prompt, 300)}`);
        await refuse(client, 'question', askId, noTerminal);
      }
    },
  };
}

function askPerson(client: Client, output: CliOutput, renderer: Renderer): Answers {
  const dialogue = createDialogue(client, createPaint(output), signs, (text) => {
    renderer.endLine();
    output.err(text);
  });
  let reader: ReturnType<typeof readLines> | undefined;
  let hasEnded = false;
  let wasUnanswered = false;
  const refuseOpen = async (): Promise<void> => {
    if (await dialogue.refuseAll(noTerminal)) wasUnanswered = true;
  };
  return {
    wasUnanswered: () => wasUnanswered,
    stop: () => reader?.stop(),
    async see(chat) {
      dialogue.see(chat);
      if (!dialogue.isOpen()) return;
      if (hasEnded) return refuseOpen();
      reader ??= readLines(output, dialogue.answer, async () => {
        hasEnded = true;
        await refuseOpen();
      });
      reader.done.catch((fault: unknown) => renderer.note(String(fault)));
    },
  };
}

async function isRunning(client: Client, chatId: string, turnId: string): Promise<boolean> {
  const { chats } = await client.call<{ chats: { chatId: string; busy: boolean; turnId?: string }[] }>('GET', '/api/status');
  return chats.some((chat) => chat.chatId === chatId && chat.busy && (chat.turnId ?? turnId) === turnId);
}

function exitCodeOf({ reason, result }: TurnOutcome, wasUnanswered: boolean): number {
  if (reason !== 'done') return exitCodes.failed;
  if (wasUnanswered) return exitCodes.unanswered;
  // A turn whose last call failed without a final text counts as failed.
  return result?.ok === false ? exitCodes.failed : exitCodes.done;
}
