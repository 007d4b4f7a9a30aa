// Implements one editor session: a chat on the server whose changes are reported to the editor.
import type { PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk';
import type { ChatMeta, Client, OpenChat, WireEvent } from 'agent-harness/client';
import { untilAborted, withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';
import { isTrace } from 'agent-harness/transcript';
import { createAsking } from '../asking/asking.ts';
import { questionText } from '../asking/questions.ts';
import { createChangeNotifier } from './change-notifier.ts';
import { createPictures } from '../projection/pictures.ts';
import { createProjector } from '../projection/projector.ts';
import { createShownTerminals } from '../projection/shown-terminals.ts';
import { createPlanNotifier, type PlanItem } from '../projection/plan-notifier.ts';
import { createWaitNotifier } from '../projection/wait-notifier.ts';
import type { Peer } from '../wire/peer.ts';
import type { Abilities } from '../abilities.ts';
import { sendExtras, type SessionExtras } from './session-extras.ts';
import type { EditorLink } from '../editor/editor-link.ts';
import type { ModelOffers } from './model-offer.ts';
import { createContextUse } from './context-use.ts';
import { createPromptTurns } from './prompt-turns.ts';
import { promptMessage, type PromptMessage } from './prompt-content.ts';
import { optionsOf, type SessionChange, type SessionOptions } from './session-options.ts';

type PromptBlocks = Parameters<typeof promptMessage>[0];

export interface ChatSession {
  readonly chatId: string;
  /** Reports the whole transcript. Rejects if it cannot be read. */
  replay(): Promise<void>;
  /** Marks existing content as reported, if nothing has been reported yet. Rejects if the content cannot be read. */
  skip(): Promise<void>;
  /** Reports new content from now on. */
  begin(): Promise<void>;
  options(): SessionOptions;
  /** Applies the editor's configuration. The next prompt waits for it with a timeout; errors are reported. */
  bring(given: SessionExtras, isNew: boolean): void;
  /** Applies the configuration again to a new server. */
  bringAgain(): void;
  /** Shows the editor's terminal that runs the command of a call. Resolves when the call's card shows it, or on failure. Never rejects. */
  showTerminal(callId: string, terminalId: string): Promise<void>;
  set(change: SessionChange): Promise<void>;
  /** @param signal aborting it cancels the prompt */
  prompt(blocks: PromptBlocks, signal: AbortSignal): Promise<PromptResponse>;
  cancel(): void;
  tellCommands(commands: Extract<SessionUpdate, { sessionUpdate: 'available_commands_update' }>['availableCommands']): void;
  /** Call when global data has changed: the models or the list of chats. */
  refresh(): void;
  /** Cancels the prompts and stops reporting. */
  close(): Promise<void>;
  /** Handles the editor's disconnection: running work continues. */
  leave(): void;
}

export interface SessionParts {
  readonly client: Client;
  readonly peer: Peer;
  readonly abilities: Abilities;
  readonly models: ModelOffers;
  readonly editor: Pick<EditorLink, 'lead' | 'leave'>;
}

/** Changes to a chat that affect its options. */
const optionChanges: ReadonlySet<unknown> = new Set(['mode', 'model', 'effort']);
const loadPatienceMs = 20_000;
const olderPage = 2_000;
/** Maximum time, in milliseconds, that a prompt waits for MCP servers to start. */
const expectMs = 10_000;

export function createChatSession(found: ChatMeta, { client, peer, abilities, models, editor }: SessionParts): ChatSession {
  const { chatId, workspaceRoot: root = '' } = found;
  const chat = client.open(chatId);
  const gone = new AbortController();
  let meta: Pick<ChatMeta, 'mode' | 'model' | 'effort' | 'title'> = found;
  let isLive = false;
  /** Whether output outside of a prompt waits for the next prompt; set after a cancelled prompt. */
  let isHushed = false;
  let expected: Promise<unknown> = Promise.resolve();
  let extras: SessionExtras = {};
  const troubles: string[] = [];

  const sendUpdate = (update: SessionUpdate): void => peer.notify('session/update', { sessionId: chatId, update });
  const sendText = (text: string): void =>
    sendUpdate({ sessionUpdate: 'agent_message_chunk', messageId: `note-${crypto.randomUUID()}`, content: { type: 'text', text } });

  const use = createContextUse({ window: () => models.known.models.find(({ id }) => id === (meta.model ?? models.known.current))?.contextLength });
  const turns = createPromptTurns({
    client,
    chat,
    say: sendText,
    beforeEnd() {
      const usage = use.take(chat.state.get());
      if (usage) sendUpdate(usage);
    },
  });
  const waits = createWaitNotifier({ now: Date.now, isOver: turns.isOver, showsNotices: abilities.showsNotices, tell: sendUpdate });
  const changes = createChangeNotifier(found.title, sendUpdate);
  const plan = createPlanNotifier(client, chatId, sendUpdate);
  const pictures = createPictures(client, chatId);
  let isReading = false;
  const terminals = createShownTerminals((callId) => projector.reportAgain(callId));
  const projector = createProjector({
    root,
    shown: { picture: pictures.find, terminal: terminals.find },
    tell: sendUpdate,
    isOwn: turns.isOwn,
    isOver: turns.isOver,
    note(entry) {
      if (isTrace(entry)) return;
      const severity = entry.kind === 'error' ? 'error' : 'info';
      if (entry.turnId === undefined && abilities.showsNotices && isLive) sendUpdate({ sessionUpdate: 'notice', severity, title: entry.text || entry.kind });
      else sendUpdate({ sessionUpdate: 'agent_message_chunk', messageId: entry.id, content: { type: 'text', text: entry.text } });
    },
    later: (ms) => void setTimeout(() => gone.signal.aborted || projector.release(), ms).unref(),
  });
  const asking = createAsking({
    ...{ client, chat, peer, root, hasForms: abilities.asksByForm, tell: sendUpdate },
    askInWords(question) {
      sendText(questionText(question));
      turns.waitForWords(question);
    },
  });

  function expect(work: Promise<unknown>): void {
    expected = work.catch(noteTrouble);
  }

  function noteTrouble(fault: unknown): void {
    if (!gone.signal.aborted) troubles.push(messageOf(fault));
  }

  const leaveState = chat.state.subscribe(look);
  const leaveEvents = client.on(onEvent);

  function look(): void {
    if (!isLive || isReading) return;
    const state = chat.state.get();
    const reading = pictures.read(state.entries);
    if (reading) {
      isReading = true;
      return void reading.then(() => {
        isReading = false;
        look();
      });
    }
    projector.advance(state.entries);
    terminals.check();
    waits.see(state);
    asking.see(state);
    turns.see(state);
  }

  function onEvent(event: WireEvent): void {
    if (event.chatId !== chatId) return;
    use.hear(event);
    if (event.kind === 'plan_updated' && isLive && !turns.isOver(String(event.turnId))) plan.tell(event['items'] as readonly PlanItem[]);
    if (event.kind !== 'chat_updated') return;
    if (optionChanges.has(event['change'])) void readMeta().catch(() => undefined); // the connection reports the error
  }

  async function readMeta(): Promise<void> {
    meta = await client.call('GET /api/chats/:id', { params: { id: chatId } });
    session.refresh();
  }

  const session: ChatSession = {
    chatId,
    async replay() {
      await untilLoaded(chat, gone.signal);
      while (chat.state.get().before !== undefined) await chat.loadOlder(olderPage);
      await pictures.read(chat.state.get().entries);
      projector.advance(chat.state.get().entries);
      await plan.read();
    },
    async skip() {
      if (isLive) return;
      await untilLoaded(chat, gone.signal);
      projector.skip(chat.state.get().entries);
    },
    async begin() {
      if (isLive) return;
      // The reply that opened the session had these options. A change during loading is sent afterwards.
      changes.replied(session.options());
      await untilLoaded(chat, gone.signal);
      isLive = true;
      look();
      session.refresh();
    },
    options: () => optionsOf(meta, models.known),
    bring(given, isNew) {
      extras = given;
      expect(sendExtras(client, chatId, given, isNew));
    },
    bringAgain: () => expect(sendExtras(client, chatId, extras, true)),
    showTerminal: terminals.show,
    async set(body) {
      meta = await client.call('PATCH /api/chats/:id', { params: { id: chatId }, body });
    },
    async prompt(blocks, signal) {
      const message: PromptMessage = promptMessage(blocks, root);
      const led = editor.lead(chatId, [extras.cwd ?? root, ...(extras.additionalDirectories ?? [])]).catch(noteTrouble);
      await Promise.all([session.begin(), withLimit(untilAborted(expected, gone.signal), expectMs, () => undefined), led]);
      if (signal.aborted) return { stopReason: 'cancelled' };
      isHushed = false;
      for (const trouble of troubles.splice(0)) sendText(`The configuration of the editor cannot be used: ${trouble}\n\n`);
      signal.addEventListener('abort', session.cancel, { once: true });
      try {
        const text = await asking.complete(message.text, signal);
        if (text === undefined) return { stopReason: isHushed ? 'cancelled' : 'end_turn' };
        const reply = turns.run({ ...message, text });
        session.refresh();
        return await reply;
      } finally {
        signal.removeEventListener('abort', session.cancel);
      }
    },
    cancel() {
      isHushed = true;
      asking.withdraw();
      turns.cancel();
    },
    tellCommands: (availableCommands) => sendUpdate({ sessionUpdate: 'available_commands_update', availableCommands }),
    refresh() {
      if (!isLive || isHushed || gone.signal.aborted) return;
      const row = client.chats.get().chats.find((one) => one.chatId === chatId);
      changes.see(session.options(), row);
    },
    async close() {
      session.cancel();
      await turns.idle();
      session.leave();
    },
    leave() {
      isLive = false;
      gone.abort();
      editor.leave(chatId);
      leaveState();
      leaveEvents();
      asking.withdraw();
    },
  };
  return session;
}

/** Rejects if the transcript cannot be loaded, and immediately after a disconnect. */
async function untilLoaded(chat: OpenChat, signal: AbortSignal): Promise<void> {
  if (chat.state.get().isLoaded) return;
  let leave = (): void => undefined;
  const read = new Promise<void>((resolve) => {
    leave = chat.state.subscribe(() => chat.state.get().isLoaded && resolve());
  });
  const late = (): never => {
    throw new Error('The chat cannot be read: the server does not respond.');
  };
  try {
    await withLimit(untilAborted(read, signal), loadPatienceMs, late);
  } finally {
    leave();
  }
}
