// What a terminal does beside showing text: it takes something into the clipboard, and calls a person who looks elsewhere.

const escape = '\u001b';
/** Longer ones are refused by most terminals. Bytes. */
const longestCopy = 74_000;

/** What tells terminals apart. */
export type TerminalEnvironment = Readonly<Record<string, string | undefined>>;

/** `undefined` where it is too long. */
export function copySequence(text: string, environment: TerminalEnvironment): string | undefined {
  const content = Buffer.from(text).toString('base64');
  if (content.length > longestCopy) return undefined;
  return handedOn(`${escape}]52;c;${content}${escape}\\`, environment);
}

/** A notice where the terminal has them, in its own words, and the bell everywhere. @param title plain words of ours */
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

/** Through a multiplexer, which hands on only what is wrapped for it; screen takes 768 bytes at most in one piece. */
function handedOn(sequence: string, { TMUX, STY }: TerminalEnvironment): string {
  if (TMUX !== undefined) return `${escape}Ptmux;${sequence.replaceAll(escape, escape + escape)}${escape}\\`;
  if (STY === undefined) return sequence;
  // Ended by a bell: an escape with a backslash in it would end the piece.
  const pieces = `${sequence.slice(0, -2)}\u0007`.match(/[^]{1,750}/g) ?? [];
  return pieces.map((piece) => `${escape}P${piece}${escape}\\`).join('');
}
