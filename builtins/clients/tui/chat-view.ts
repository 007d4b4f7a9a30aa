// Renders the conversation on the screen, and handles its keys.
import type { ReachedChat, TerminalPanel, TerminalLine } from 'agent-harness/builtins/clients/cli';
import type { ChatState, EntryMarks } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { oneLine } from '#lib/text';
import { editOutside } from './composer/external-editor.ts';
import { createField } from './composer/field.ts';
import { createPictures } from './composer/pictures.ts';
import { createChooser } from './overlays/chooser.ts';
import { createCommandList } from './overlays/command-list.ts';
import { createDecisions } from './overlays/decisions.ts';
import { createPathList } from './overlays/path-list.ts';
import type { Layer } from './composer/layer.ts';
import { statusRow } from './panels/status-row.ts';
import type { CodeColors } from './rows/syntax-highlighter.ts';
import { createTranscriptWriter, type TranscriptRows } from './rows/transcript-rows.ts';
import { composeFrame } from './compose-frame.ts';
import type { Frame } from './screen/frame.ts';
import type { Input, Key } from './screen/keys.ts';
import { rowOf, styles, type Row, type Style } from './screen/spans.ts';
import type { Size, Terminal } from './screen/terminal.ts';
import { copySequence, noticeSequence } from './screen/escape-sequences.ts';
import { createSession } from './session.ts';
import { createTerminalCommands } from './terminal-commands.ts';
import { cutRow } from './screen/measure.ts';

const looks: Readonly<Record<NonNullable<TerminalLine['look']>, Style>> = { strong: styles.bold, weak: styles.dim };

function panelRows(lines: readonly TerminalLine[], columns: number): Row[] {
  return lines.map(({ text, look }) => {
    const indent = /^ */.exec(text)?.[0] ?? '';
    return cutRow(rowOf(indent + oneLine(text, 400), look === undefined ? styles.plain : looks[look]), columns);
  });
}

export interface ChatView {
  compose(this: void, size: Size): Frame;
  onInput(this: void, input: Input): void;
  open(reached: ReachedChat): void;
  close(): void;
}

export interface ChatViewParts {
  /** Plugin panels between the conversation and the input field. */
  readonly panels: readonly TerminalPanel[];
  readonly hasVimKeys: boolean;
  readonly terminal: Terminal;
  readonly colors: CodeColors;
  leave(): void;
  redraw(isUrgent?: boolean): void;
  /** Releases the terminal while `work` runs; without `work`, suspends the process to the shell. */
  suspend(work?: () => Promise<void>): Promise<void>;
  /** Shows the whole conversation in the alternate screen. */
  openPager(chat: ChatState, marks: EntryMarks): void;
}

const tickMs = 1_000;
const noRows: TranscriptRows = { commits: [], live: [], waiting: [] };

export function createChatView({ panels, hasVimKeys, terminal, colors, leave, redraw, suspend, openPager }: ChatViewParts): ChatView {
  const writer = createTranscriptWriter(colors);
  const greeting: Row[] = [];
  let notice: string | undefined;
  /** Action that the same key runs when it is pressed again: Ctrl+C leaves, Escape in an empty field goes back. */
  let confirming: 'leave' | 'back' | undefined;
  /** Updates every second while a turn runs. */
  const ticker = createTicker(redraw);

  const showText = (text: string): void => {
    notice = text;
    redraw();
  };
  const session = createSession({
    panels,
    redraw: () => {
      ticker.run(session.chat?.state.get().running !== undefined);
      attend(decisions.isOpen, isFocused);
      greet();
      redraw();
    },
    onSwitch() {
      writer.restart();
      const title = session.meta?.title;
      if (title !== undefined) greeting.push([], rowOf(oneLine(title, 100), styles.bold));
    },
    onTakenBack(texts) {
      field.putBefore(texts);
      redraw();
    },
    say: showText,
  });
  const sentBefore = (): string[] => session.chat?.state.get().entries.flatMap((entry) => (entry.kind === 'user' && !entry.origin ? [entry.text] : [])) ?? [];
  const field = createField(sentBefore, hasVimKeys);
  const decisions = createDecisions({ chat: () => session.chat, field, say: showText, redraw: () => redraw(true), now: () => performance.now() });
  const pictures = createPictures();
  const chooser = createChooser();
  const commands = createTerminalCommands({ session, chooser, pictures, say: showText, redraw, leave, copy, write: (text) => field.editor.set(text) });
  const layers: Layer[] = [
    chooser,
    decisions,
    createCommandList({ field, commands: () => commands.list() }),
    createPathList({ field, find: (query, signal) => session.findPaths(query, signal), redraw, submit: () => submit('queue') }),
  ];
  let isFocused = true;
  const attend = createAttention(terminal);
  let isGreeted = false;

  function copy(text: string): void {
    const sequence = copySequence(text, process.env);
    if (sequence === undefined) showText('The answer is too long for the clipboard of a terminal.');
    else terminal.write(sequence);
  }

  /** Shows the first-run hint once, unless the agent's character is set. */
  function greet(): void {
    const { personaBootstrapEnabled = false, personaBootstrapPending = false } = session.client?.connection.get().config ?? {};
    if (isGreeted || !personaBootstrapEnabled || !personaBootstrapPending) return;
    isGreeted = true;
    greeting.push(rowOf('Set up a personality: /persona and one sentence.', styles.dim));
  }

  function compose({ columns, rows }: Size): Frame {
    const open = session.chat;
    const chat = open?.state.get();
    const width = columns - 1;
    const status = statusRow(
      {
        chat,
        meta: session.meta,
        connection: session.client?.connection.get(),
        defaultModel: session.defaultModel,
        context: session.context,
        notice,
        editing: field.vimStatus,
        now: Date.now(),
      },
      width,
    );
    const frame = composeFrame(rows, {
      status,
      composer: (most) => field.view(columns, most),
      overlay: (most) => layers.flatMap((layer) => [...layer.rows(width, most - 1)]).slice(0, most),
      beside: (most) => panelRows(session.lines(most), width),
      conversation: (most) => (open && chat ? writer.take(chat, open.marks.get(), width, session.takenBack, most) : noRows),
    });
    return { ...frame, commits: [...greeting.splice(0), ...frame.commits] };
  }

  /** Restores a text that was not sent. */
  const giveBack = (text: string) => (fault: unknown) => {
    field.putBefore([text]);
    showText(messageOf(fault));
  };

  /** Sends the text with its images; restores the text if an image is unreadable. */
  function send(text: string, whenBusy: 'queue' | 'steer'): void {
    pictures.read(text).then((attachments) => session.send(text, { whenBusy, ...(attachments.length === 0 ? {} : { attachments }) }), giveBack(text));
  }

  function pastePicture(): void {
    pictures.ofClipboard().then(
      (sign) => {
        field.editor.insert(sign);
        redraw(true);
      },
      (fault: unknown) => showText(messageOf(fault)),
    );
  }

  function submit(whenBusy: 'queue' | 'steer'): void {
    const text = field.editor.whole();
    if (decisions.submit(text)) {
      if (!field.isBorrowed) field.take();
      return;
    }
    if (text.trim() === '') return;
    field.take();
    const command = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
    if (!command) return send(text, whenBusy);
    const [, name = '', args = ''] = command;
    if (commands.run(name, args)) return;
    session.runCommand(name, args).catch(giveBack(text));
  }

  function stop(): boolean {
    if (!session.chat?.state.get().running) return false;
    void session.stop();
    return true;
  }

  function edit(): void {
    suspend(async () => field.editor.set(await editOutside(field.editor.whole()))).catch((fault: unknown) => showText(messageOf(fault)));
  }

  function showAll(): void {
    const { chat } = session;
    if (chat?.state.get().isLoaded === true) openPager(chat.state.get(), chat.marks.get());
  }

  function interrupt(): void {
    if (confirming === 'back') confirming = undefined;
    if (field.text !== '') return field.editor.set('');
    if (stop()) return;
    if (confirming === 'leave') return leave();
    confirming = 'leave';
    notice = 'Press Ctrl+C again to leave.';
  }

  /** Leaves insert mode, aborts the turn, or, pressed twice in an empty field, lists the user's messages. */
  function escape(key: Key, wasGoingBack: boolean): void {
    if ((field.key(key) && field.text !== '') || stop() || field.text !== '') return;
    if (wasGoingBack) return commands.chooseMessage();
    confirming = 'back';
    notice = 'Press Esc again to list the messages that you can go back to.';
  }

  function onKey(key: Key): void {
    notice = undefined;
    if (key.ctrl && key.name === 'c') return interrupt();
    const wasGoingBack = confirming === 'back';
    confirming = undefined;
    if (key.ctrl && key.name === 'd' && field.text === '') return leave();
    if (key.ctrl && key.name === 'z') return void suspend();
    if (key.ctrl && key.name === 't') return showAll();
    if (key.ctrl && key.name === 'g') return edit();
    if (key.ctrl && key.name === 'v') return pastePicture();
    if (layers.some((layer) => layer.key(key))) return;
    if (key.name === 'up' && field.text === '' && !field.isBorrowed && session.takeBack()) return;
    if (key.name === 'escape') return escape(key, wasGoingBack);
    if (key.name === 'enter' && key.ctrl) return submit('steer');
    if (key.ctrl && key.name === 's') return submit('steer');
    if (field.key(key)) return;
    if (key.name === 'enter') submit('queue');
  }

  return {
    compose,
    onInput(input) {
      if (input.kind === 'paste') {
        const sign = pictures.ofPaste(input.text);
        if (sign === undefined) field.paste(input.text);
        else field.editor.insert(sign);
      } else if (input.kind === 'focus') isFocused = input.isFocused;
      else if (input.kind === 'key') onKey(input);
    },
    open(reached) {
      greeting.push(rowOf(reached.described, styles.bold));
      session.open(reached);
      if (reached.isChoosing) commands.run('chats', '');
      redraw();
    },
    close() {
      ticker.run(false);
      session.close();
    },
  };
}

/** Notifies the user of a pending decision when another window has the focus. */
function createAttention(terminal: Terminal): (isAsked: boolean, isFocused: boolean) => void {
  let wasAsked = false;
  return (isAsked, isFocused) => {
    if (isAsked && !wasAsked && !isFocused) terminal.write(noticeSequence('A decision is pending.', process.env));
    wasAsked = isAsked;
  };
}

function createTicker(work: () => void): { run(isOn: boolean): void } {
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    run(isOn) {
      if (isOn) return void (timer ??= setInterval(work, tickMs));
      clearInterval(timer);
      timer = undefined;
    },
  };
}
