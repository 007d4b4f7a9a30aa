// Builds the terminal sequences that copy to the clipboard and notify the user.

const escape = '\u001b';
/** Maximum size in bytes; most terminals refuse more. */
const longestCopy = 74_000;

/** Environment variables that identify the terminal. */
export type TerminalEnvironment = Readonly<Record<string, string | undefined>>;

/** Returns `undefined` for a text over the limit. */
export function copySequence(text: string, environment: TerminalEnvironment): string | undefined {
  const content = Buffer.from(text).toString('base64');
  if (content.length > longestCopy) return undefined;
  return handedOn(`${escape}]52;c;${content}${escape}\\`, environment);
}

/**
 * Returns the sequence for a notification in the format of the terminal, if supported, and always rings the bell. @param title plain text written by this
 * program
 */
export function noticeSequence(title: string, environment: TerminalEnvironment): string {
  const { TERM = '', KITTY_WINDOW_ID, VTE_VERSION } = environment;
  const words =
    TERM.includes('kitty') || KITTY_WINDOW_ID !== undefined
      ? `99;;${title}`
      : VTE_VERSION !== undefined || /^(rxvt|foot)/.test(TERM)
        ? `777;notify;agent-harness;${title}`
        : `9;${title}`;
  return `${handedOn(`${escape}]${words}${escape}\\`, environment)}\u0007`;
}

/** Wraps a sequence for a terminal multiplexer; screen accepts at most 768 bytes per piece. */
function handedOn(sequence: string, { TMUX, STY }: TerminalEnvironment): string {
  if (TMUX !== undefined) return `${escape}Ptmux;${sequence.replaceAll(escape, escape + escape)}${escape}\\`;
  if (STY === undefined) return sequence;
  // Ends with a bell, because an escape sequence with a backslash would end the piece.
  const pieces = `${sequence.slice(0, -2)}\u0007`.match(/[^]{1,750}/g) ?? [];
  return pieces.map((piece) => `${escape}P${piece}${escape}\\`).join('');
}
