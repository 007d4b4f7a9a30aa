// Defines the contract of CLI extensions: checks of `doctor`, a terminal UI for conversations, and its panels.
import type { CliOutput } from 'agent-harness/plugins/commands';

export interface Finding {
  /** `note`: useful information that is not a problem. */
  readonly level: 'ok' | 'note' | 'wrong';
  readonly text: string;
  /** How to fix the problem. */
  readonly mend?: string;
}

/** Contribution point `doctor_check`: checks a plugin's requirements on this machine. */
export interface DoctorCheck {
  /** Display name: `desktop window`. Unique. */
  readonly name: string;
  /** Runs the check. A check that rejects or takes longer than 20 s is reported as `wrong`. */
  look(): Promise<readonly Finding[]>;
}

/** The chat of a command, with access to its server. */
export interface ReachedChat {
  readonly url: string;
  readonly token: string;
  readonly chatId: string;
  /** Description for display, such as `New chat in /work`. */
  readonly described: string;
  /** Whether the user must select a chat first. */
  readonly isChoosing: boolean;
  /** Returns the running server of the home folder, which may have another address after a restart. */
  find(): Promise<{ readonly url: string } | undefined>;
}

/** The chat that `chat` or `tui` should open. */
export interface WantedChat {
  /** Finds the server, or starts a temporary one, and finds or creates the chat. Rejects if one of these steps fails. */
  reach<T>(work: (reached: ReachedChat) => Promise<T>): Promise<T>;
  /** Aborted when the program is asked to end. */
  readonly signal: AbortSignal;
  /** Plugin panels between the conversation and the input field, in order. */
  readonly panels: readonly TerminalPanel[];
}

/** Contribution point `terminal_panel`: a few lines between a chat in the terminal and its input field. */
export interface TerminalPanel {
  /** Name, such as `plan`. Unique. */
  readonly name: string;
  /** Called for each displayed chat; `close` is called when another chat is displayed. */
  open(chat: TerminalChat): OpenTerminalPanel;
}

export interface TerminalChat {
  readonly chatId: string;
  /** Sends a `GET` request to the server, such as `/api/plan?chatId=…`. Rejects with the server's message. */
  read(path: string): Promise<unknown>;
  /** Requests a new rendering after the lines have changed. */
  changed(): void;
}

export interface OpenTerminalPanel {
  /** Receives each event of the chat. */
  take(event: { readonly kind: string; readonly [field: string]: unknown }): void;
  /**
   * Called at each rendering, so it must be fast. Terminal control characters are removed, and long lines are truncated.
   * @param most maximum number of lines @param turnId id of the running turn
   */
  lines(most: number, turnId: string | undefined): readonly TerminalLine[];
  close?(): void;
}

export interface TerminalLine {
  readonly text: string;
  /** Default: plain text. */
  readonly look?: 'strong' | 'weak';
}

/** Contribution point `chat_screen`: shows a chat in a terminal UI instead of as lines. The first contribution is used. */
export interface ChatScreen {
  /** Shows the chat in an interactive terminal. Resolves with the exit code. */
  run(wanted: WantedChat, output: CliOutput): Promise<number>;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    doctor_check: DoctorCheck;
    chat_screen: ChatScreen;
    terminal_panel: TerminalPanel;
  }
}
