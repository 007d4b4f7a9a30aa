// Monitors the turn of one chat against the system clock: detects silence and a missed end.
import { sampleWatch, stallText, tickWatch, watchNothing, type Busy, type Watched } from './stall-watch.ts';
import type { ChatState } from './state.ts';
import type { Status } from './status-poll.ts';

export interface ChatWatch {
  /** Receives each state of the chat. */
  see(chat: ChatState): void;
  /** Called every few seconds. */
  tick(): void;
  sample(status: Status): void;
  /** Discards earlier samples. */
  reset(): void;
}

export interface ChatWatchOptions {
  readonly chat: () => ChatState;
  say(text: string): void;
  onOver(turnId: string): void;
}

export function createChatWatch({ chat, say, onOver }: ChatWatchOptions): ChatWatch {
  let watch = watchNothing;
  let turnId: string | undefined;
  /** Time when this client first saw the turn, in milliseconds. */
  let knownSince = 0;

  function busy(): Busy | undefined {
    const { running, lastSignAt } = chat();
    return running && { startedAt: running.startedAt, lastSignAt: Math.max(lastSignAt, knownSince) };
  }

  function act({ watch: next, isStalled, isOver }: Watched): void {
    const { running, lastSignAt } = chat();
    watch = next;
    if (isStalled) say(stallText(running?.waitingFor ?? '', Date.now() - Math.max(lastSignAt, knownSince)));
    if (isOver && running) onOver(running.turnId);
  }

  return {
    see({ running }) {
      if (running?.turnId === turnId) return;
      turnId = running?.turnId;
      knownSince = Date.now();
      watch = watchNothing;
    },
    tick: () => act(tickWatch(watch, busy(), Date.now())),
    sample({ chats, lastTurnEndedAt }) {
      const isBusy = chats.some((one) => one.chatId === chat().chatId && one.busy);
      act(sampleWatch(watch, busy(), { isBusy, ...(lastTurnEndedAt === undefined ? {} : { lastTurnEndedAt }) }, Date.now()));
    },
    reset() {
      watch = watchNothing;
    },
  };
}
