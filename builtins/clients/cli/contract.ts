// What other plugins add to the commands of the program: checks of `doctor`, a screen for conversations, and what stands on it.
import type { CliOutput } from 'agent-harness/plugins/commands';

export interface Finding {
  /** `note`: worth knowing, nothing is wrong. */
  readonly level: 'ok' | 'note' | 'wrong';
  readonly text: string;
  /** How to mend it. */
  readonly mend?: string;
}

/** Contribution point `doctor_check`: what a plugin needs of this machine, and whether it is there. */
export interface DoctorCheck {
  /** For people: `desktop window`. No two have the same one. */
  readonly name: string;
  /** One that rejects or takes longer than 20 s is told as wrong. */
  look(): Promise<readonly Finding[]>;
}

/** The chat that a command is about, and how its server is reached. */
export interface ReachedChat {
  readonly url: string;
  readonly token: string;
  readonly chatId: string;
  /** `New chat in /work`. */
  readonly described: string;
  /** Another one is to be picked first. */
  readonly isChoosing: boolean;
}

/** A conversation that somebody asked for by `chat` or `tui`. */
export interface WantedChat {
  /** Finds the server, or starts one for as long as it is needed, and finds or makes the chat. Rejects with what is wrong. */
  reach<T>(work: (reached: ReachedChat) => Promise<T>): Promise<T>;
  /** Aborted when the program is asked to end. */
  readonly signal: AbortSignal;
  /** What plugins show of it beside what is said, in their order. */
  readonly panels: readonly TerminalPanel[];
}

/** Contribution point `terminal_panel`: a few lines between a conversation in the terminal and the field under it. */
export interface TerminalPanel {
  /** `plan`. No two have the same one. */
  readonly name: string;
  /** Called for each chat that is shown; `close` is called when another one is. */
  open(chat: TerminalChat): OpenTerminalPanel;
}

export interface TerminalChat {
  readonly chatId: string;
  /** A `GET` to the server, `/api/plan?chatId=…`; rejects with its words. */
  read(path: string): Promise<unknown>;
  /** The lines are others now. */
  changed(): void;
}

export interface OpenTerminalPanel {
  /** Each event of this chat, as it comes. */
  take(event: { readonly kind: string; readonly [field: string]: unknown }): void;
  /**
   * Asked for with each drawing, so it works nothing out. Lines are shown without what would command the terminal, and cut to its width.
   * @param most lines that there is room for @param turnId of the turn that runs
   */
  lines(most: number, turnId: string | undefined): readonly TerminalLine[];
  close?(): void;
}

export interface TerminalLine {
  readonly text: string;
  /** Left out: as text is. */
  readonly look?: 'strong' | 'weak';
}

/** Contribution point `chat_screen`: shows a conversation in the terminal, in place of lines. The first that was added is taken. */
export interface ChatScreen {
  /** Only where a person sits at a terminal. Answers the exit code. */
  run(wanted: WantedChat, output: CliOutput): Promise<number>;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    doctor_check: DoctorCheck;
    chat_screen: ChatScreen;
    terminal_panel: TerminalPanel;
  }
}
