// Runs a chat in the terminal: rendering, key handling, and leaving.
import type { ReachedChat, WantedChat } from 'agent-harness/builtins/clients/cli';
import type { ChatState, EntryMarks } from 'agent-harness/client';
import { untilAborted } from '#lib/async';
import { createChatView } from './chat-view.ts';
import { createKeyReader, type Input } from './screen/keys.ts';
import { createTranscriptPager, enterPager, leavePager, type TranscriptPager } from './overlays/transcript-pager.ts';
import { createCodeColors, noColors } from './rows/syntax-highlighter.ts';
import { createScreen } from './screen/screen.ts';
import { openTerminal, type TerminalListener } from './screen/terminal.ts';

/** Time in milliseconds to wait after an escape character for the rest of a sequence. */
const escapeMs = 40;

/** Resolves with the exit code. @param hasVimKeys whether the input field has vim keys */
export async function runChatScreen(wanted: WantedChat, hasVimKeys: boolean): Promise<number> {
  const terminal = openTerminal(process.stdin, process.stdout);
  const left = new AbortController();
  /** Aborted if the user leaves before the server is available. */
  const early = new AbortController();
  let isReached = false;
  let isRestored = false;
  const leave = (): void => {
    left.abort();
    if (!isReached) early.abort();
  };
  const { TERM = '', NO_COLOR = '', TMUX } = process.env;
  const hasColor = NO_COLOR === '';
  const colors = hasColor ? createCodeColors(() => screen.request()) : noColors;
  const view = createChatView({
    panels: wanted.panels,
    hasVimKeys,
    terminal,
    colors,
    leave,
    redraw: (isUrgent) => screen.request(isUrgent),
    suspend,
    openPager,
  });
  const screen = createScreen({
    terminal,
    compose: view.compose,
    hasColor,
    doesReflow: !/^(linux|vt|cons)/.test(TERM) && (!TERM.startsWith('screen') || TMUX !== undefined),
  });
  const keys = createKeyReader();
  let pager: TranscriptPager | undefined;

  /** Opens the pager. Rendering of the live rows pauses; leaving the alternate screen restores them. */
  function openPager(chat: ChatState, marks: EntryMarks): void {
    pager = createTranscriptPager(chat, marks, colors);
    screen.pause();
    screen.clear();
    terminal.write(enterPager + pager.draw(terminal.size(), hasColor));
  }

  function takeKey(input: Input): void {
    if (!pager) return view.onInput(input);
    if (input.kind === 'key' && !pager.key(input, terminal.size())) {
      pager = undefined;
      terminal.write(leavePager);
      screen.resume();
    } else terminal.write(pager.draw(terminal.size(), hasColor));
  }
  let escapeTimer: ReturnType<typeof setTimeout> | undefined;

  const listener: TerminalListener = {
    onInput(text) {
      clearTimeout(escapeTimer);
      let isTyped = false;
      for (const input of keys.feed(text)) {
        if (input.kind === 'cursor') screen.onWidth(input.column);
        else {
          isTyped = true;
          takeKey(input);
        }
      }
      if (keys.isWaiting)
        escapeTimer = setTimeout(() => {
          keys.flush().forEach(takeKey);
          screen.request(true);
        }, escapeMs);
      if (isTyped) screen.request(true);
    },
    onResize() {
      if (pager) terminal.write(pager.draw(terminal.size(), hasColor));
      else screen.request();
    },
    onReady: () => screen.onReady(),
    onContinue() {
      terminal.enter(listener);
      screen.resume();
    },
    onGone: leave,
  };

  /** Releases the terminal temporarily; without `work`, suspends the process to the shell until the user resumes it. */
  async function suspend(work?: () => Promise<void>): Promise<void> {
    screen.pause();
    screen.clear();
    terminal.leave();
    if (!work) return terminal.stop();
    try {
      await work();
    } finally {
      terminal.enter(listener);
      screen.resume();
    }
  }

  function restore(): void {
    clearTimeout(escapeTimer);
    if (pager) terminal.write(leavePager);
    pager = undefined;
    screen.close();
    if (!isRestored) screen.clear();
    isRestored = true;
    terminal.leave();
  }

  /** Releases the terminal before the server of this process has ended. */
  const converse = async (reached: ReachedChat): Promise<void> => {
    isReached = true;
    if (left.signal.aborted) return;
    view.open(reached);
    await aborted(left.signal);
    view.close();
    restore();
  };

  wanted.signal.addEventListener('abort', leave, { once: true });
  // Until the end: a closed terminal sends several hang-ups, and the server of this process must outlive them if other clients use it.
  process.on('SIGHUP', leave);
  terminal.enter(listener);
  screen.draw();
  try {
    await untilAborted(wanted.reach(converse), early.signal);
  } catch (fault) {
    if (!early.signal.aborted) throw fault;
  } finally {
    restore();
    process.removeListener('SIGHUP', leave);
  }
  return 0;
}

function aborted(signal: AbortSignal): Promise<void> {
  return signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
