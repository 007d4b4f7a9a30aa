// Defines the contract of CLI extensions: checks of `doctor`, a terminal UI for conversations, and its panels.
import type { CliOutput } from 'agent-harness/plugins/commands';

export interface Finding {
  /** `note`: useful information, not a fault. */
  readonly level: 'ok' | 'note' | 'wrong';
  readonly text: string;
  /** How to fix it. */
  readonly mend?: string;
}

/** Contribution point `doctor_check`: checks a plugin's requirements on this machine. */
export interface DoctorCheck {
  /** Display name: `desktop window`. Unique. */
  readonly name: string;
  /** Runs the check. A rejection, or more than 20 s, is reported as wrong. */
  look(): Promise<readonly Finding[]>;
}

/** The chat of a command, and access to its server. */
export interface ReachedChat {
  readonly url: string;
  readonly token: string;
  readonly chatId: string;
  /** `New chat in /work`. */
  readonly described: string;
  /** Whether the user must pick a chat first. */
  readonly isChoosing: boolean;
}

/** A conversation requested by `chat` or `tui`. */
export interface WantedChat {
  /** Finds the server, or starts a temporary one, and finds or creates the chat. Rejects with the fault. */
  reach<T>(work: (reached: ReachedChat) => Promise<T>): Promise<T>;
  /** Aborted when the program is asked to end. */
  readonly signal: AbortSignal;
  /** Plugin panels beside the conversation, in order. */
  readonly panels: readonly TerminalPanel[];
}

/** Contribution point `terminal_panel`: a few lines between a conversation in the terminal and its input field. */
export interface TerminalPanel {
  /** `plan`. Unique. */
  readonly name: string;
  /** Called for each shown chat; `close` is called when another one is shown. */
  open(chat: TerminalChat): OpenTerminalPanel;
}

export interface TerminalChat {
  readonly chatId: string;
  /** Sends a `GET` to the server, `/api/plan?chatId=…`; rejects with its message. */
  read(path: string): Promise<unknown>;
  /** Reports changed lines. */
  changed(): void;
}

export interface OpenTerminalPanel {
  /** Receives each event of this chat. */
  take(event: { readonly kind: string; readonly [field: string]: unknown }): void;
  /**
   * Called at each rendering, so it must not compute much. Terminal control characters are removed, and lines are truncated.
   * @param most maximum number of lines @param turnId of the running turn
   */
  lines(most: number, turnId: string | undefined): readonly TerminalLine[];
  close?(): void;
}

export interface TerminalLine {
  readonly text: string;
  /** Plain text when left out. */
  readonly look?: 'strong' | 'weak';
}

/** Contribution point `chat_screen`: shows a conversation in a terminal UI instead of lines. The first contribution is used. */
export interface ChatScreen {
  /** Shows the conversation in an interactive terminal. Resolves with the exit code. */
  run(wanted: WantedChat, output: CliOutput): Promise<number>;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    doctor_check: DoctorCheck;
    chat_screen: ChatScreen;
    terminal_panel: TerminalPanel;
  }
}
