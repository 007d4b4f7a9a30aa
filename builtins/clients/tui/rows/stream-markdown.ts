// Renders Markdown that is still streaming: final rows are returned once, the others are laid out again with each frame.
import type { Token, Tokens } from 'marked';
import remend from 'remend';
import { lexMarkdown, openFence, type Fence } from '#lib/markdown';
import { linesOf, rowOf, spanOf, styles, textOf, type Row } from '../screen/spans.ts';
import { wrapRow } from '../screen/wrap.ts';
import { blockRows, itemRows, markOf } from './block-rows.ts';
import { noColors, type CodeColors } from './syntax-highlighter.ts';

export interface MarkdownStream {
  /**
   * @param text the complete text so far; it extends the previous text
   * @param isWhole whether the text is complete
   * @param columns maximum width of a row
   */
  take(text: string, isWhole: boolean, columns: number): { readonly commits: readonly Row[]; readonly live: readonly Row[] };
  /** Whether rows are waiting for syntax highlighting, even if the text is complete; a later {@link MarkdownStream.take} returns them. */
  readonly isHeld: boolean;
}

/** Maximum length, in characters, of a block that is formatted while it grows; a longer block is shown unformatted. */
const longestBlock = 12_000;
/** Maximum number of lines that wait for syntax highlighting. */
const heldLines = 40;
/** Number of live rows of an incomplete paragraph; earlier rows are final if they contain no markup. */
const liveRows = 3;
/** Characters whose meaning may change with further text. */
const meaningful = /[*_`[\]<>~&\\|!$^:/@]/;
/** Matches the start of a block that is not a paragraph, or a link without markup. */
const special = /^(?:[ \t]|[-+#=]|\d{1,9}[.)])|www\./i;
/** Blocks that end at a blank line. */
const closesAtBlank = /^(paragraph|heading|table|hr|text|math)$/;
/** Prefix that prevents the rest of a split paragraph from being parsed as a list. Never written to the terminal. */
const joint = '\u0001';

export function createMarkdownStream(colors: CodeColors = noColors): MarkdownStream {
  let offset = 0;
  let fence: Fence | undefined;
  /** Language of the current fenced block. */
  let language = '';
  let block: ReturnType<CodeColors['begin']>;
  let isBegun = false;
  /** Whether a blank row must separate the returned rows from the next ones. */
  let isGapDue = false;
  let isContinued = false;
  /** Number of the next item of a list returned in parts. */
  let ordinal: number | undefined;

  function withGap(rows: readonly Row[]): Row[] {
    return isBegun && isGapDue && rows.length > 0 ? [[], ...rows] : [...rows];
  }

  function hand(commits: Row[], rows: readonly Row[], gapAfter: boolean): void {
    // Skips the prefix of a paragraph that ended where it was split.
    if (rows.length === 0 || (isContinued && rows.every((row) => textOf(row) === ''))) return;
    commits.push(...withGap(rows));
    isBegun = true;
    isGapDue = gapAfter;
  }

  /** Last result, reused for a frame with the same input. */
  let shown: { readonly text: string; readonly columns: number; readonly live: readonly Row[] } | undefined;

  return {
    get isHeld() {
      return block === 'coming';
    },
    take(text, isWhole, columns) {
      if (!isWhole && block !== 'coming' && shown?.text === text && shown.columns === columns) return { commits: [], live: shown.live };
      const taken = takeBlocks(text, isWhole, columns);
      shown = { text, columns, live: taken.live };
      return taken;
    },
  };

  function takeBlocks(text: string, isWhole: boolean, columns: number): { readonly commits: readonly Row[]; readonly live: readonly Row[] } {
    const commits: Row[] = [];
    for (;;) {
      if (offset >= text.length) return { commits, live: [] };
      if (fence) {
        const open = takeCode(fence, text, isWhole, columns, commits);
        if (open) return { commits, live: withGap(open) };
        continue;
      }
      const blank = /^(?:[ \t]*\r?\n)+/.exec(text.slice(offset));
      if (blank && !isContinued) {
        offset += blank[0].length;
        continue;
      }
      const rest = text.slice(offset);
      const end = rest.indexOf('\n');
      const opened = end < 0 || isContinued ? undefined : openFence(rest.slice(0, end).replace(/\r$/, ''));
      if (opened) {
        fence = opened;
        offset += end + 1;
        language = opened.info;
        block = colors.begin(language);
        hand(commits, [rowOf(rest.slice(0, end).trim(), styles.dim)], false);
        continue;
      }
      const words = isWhole ? undefined : takeWords(rest, columns, commits);
      if (words) return { commits, live: withGap(words) };
      const tokens = takeBlock(rest, isWhole, columns, commits);
      if (tokens) return { commits, live: withGap(openRows(rest, tokens, columns)) };
    }
  }

  /** Takes the available lines of a code block. Returns the incomplete rest, or `undefined` once the block has ended. */
  function takeCode(end: Fence, text: string, isWhole: boolean, columns: number, commits: Row[]): readonly Row[] | undefined {
    if (block === 'coming') block = colors.begin(language);
    if (block === 'coming') return text.slice(offset).split('\n').slice(-heldLines).flatMap((line) => wrapRow(rowOf(line), columns)); // prettier-ignore
    const lines: string[] = [];
    let closing: string | undefined;
    while (closing === undefined && offset < text.length) {
      const over = text.indexOf('\n', offset);
      if (over < 0 && !isWhole) break;
      const line = text.slice(offset, over < 0 ? text.length : over).replace(/\r$/, '');
      offset = over < 0 ? text.length : over + 1;
      if (end.closesWith(line)) closing = line;
      else lines.push(line);
    }
    hand(commits, block ? block.take(lines) : lines.map((line) => rowOf(line)), false);
    if (closing !== undefined) {
      hand(commits, [rowOf(closing, styles.dim)], true);
      fence = block = undefined;
      return undefined;
    }
    const open = text.slice(offset);
    return open === '' ? [] : wrapRow(block?.peek(open) ?? rowOf(open), columns);
  }

  /** Fast path for the most common case, a line without markup: returns its last rows without parsing. `undefined` if the line may contain markup. */
  function takeWords(rest: string, columns: number, commits: Row[]): readonly Row[] | undefined {
    if (rest.includes('\n') || rest.length > longestBlock || meaningful.test(rest) || (!isContinued && special.test(rest))) return undefined;
    const words = rest.trimEnd();
    if (words === '') return [];
    const rows = wrapRow(rowOf(words), columns);
    const whole = rows.slice(0, Math.max(0, rows.length - liveRows));
    if (whole.length > 0) handRows(whole, rest, commits);
    return rows.slice(whole.length);
  }

  function lex(source: string): Token[] {
    try {
      return lexMarkdown(isContinued ? joint + source : source);
    } catch {
      return [{ type: 'text', raw: source, text: source }]; // the nesting is too deep to parse
    }
  }

  function rawLength({ raw }: Token): number {
    return raw.length - (isContinued && raw.startsWith(joint) ? 1 : 0);
  }

  /** Returns the remaining blocks if the first of them may still change; otherwise takes as many blocks as possible. */
  function takeBlock(rest: string, isWhole: boolean, columns: number, commits: Row[]): readonly Token[] | undefined {
    const tokens = lex(rest);
    const [first, ...others] = tokens;
    if (!first) return tokens;
    const hasNext = others.some(({ type }) => type !== 'space' && type !== 'def');
    const isClosed = closesAtBlank.test(first.type) && (/\n[ \t]*\r?\n/.test(rest) || (first.type === 'heading' && /^ {0,3}#.*\n/.test(rest)));
    if (isWhole || hasNext || isClosed) {
      hand(commits, rowsOf(first, columns, colors), true);
      offset += Math.max(1, rawLength(first));
      isContinued = false;
      ordinal = undefined;
      return undefined;
    }
    if (rest.length > longestBlock) {
      const cut = rest.lastIndexOf(' ', longestBlock);
      hand(
        commits,
        linesOf(rest.slice(0, cut < 1 ? longestBlock : cut)).flatMap((row) => wrapRow(row, columns)),
        false,
      );
      offset += cut < 1 ? longestBlock : cut + 1;
      isContinued = true;
      return undefined;
    }
    const isTaken =
      first.type === 'list' && (first as Tokens.List).items.length > 1
        ? takeItems(first as Tokens.List, columns, commits)
        : first.type === 'paragraph' && !meaningful.test(rest) && takeRows(first, rest, columns, commits);
    return isTaken ? undefined : tokens;
  }

  function takeItems(list: Tokens.List, columns: number, commits: Row[]): boolean {
    const whole = list.items.slice(0, -1);
    const start = ordinal ?? Number(list.start === '' ? 1 : list.start);
    for (const [at, item] of whole.entries()) {
      hand(commits, itemRows(item, markOf({ ...list, start }, at), columns, 0, colors), false);
      offset += item.raw.length;
    }
    ordinal = start + whole.length;
    return true;
  }

  /** Takes the first rows of a paragraph without markup. */
  function takeRows(token: Token, rest: string, columns: number, commits: Row[]): boolean {
    const rows = blockRows(token, columns);
    const whole = rows.slice(0, Math.max(0, rows.length - liveRows));
    if (whole.length === 0) return false;
    handRows(whole, rest, commits);
    return true;
  }

  /** Advances the text by the characters that the rows contain. */
  function handRows(whole: readonly Row[], rest: string, commits: Row[]): void {
    hand(commits, whole, false);
    let signs = whole.reduce((sum, row) => sum + textOf(row).replace(/\s/g, '').length, 0);
    let at = 0;
    for (; at < rest.length && signs > 0; at++) if (!/\s/.test(rest[at] ?? '')) signs--;
    offset += at + (/^\s*/.exec(rest.slice(at))?.[0].length ?? 0);
    isContinued = true;
  }

  function rowsOf(token: Token, columns: number, own = noColors): Row[] {
    if (token.type !== 'list' || ordinal === undefined) return blockRows(token, columns, 0, own);
    const list = token as Tokens.List;
    const start = ordinal;
    return list.items.flatMap((item, at) => itemRows(item, markOf({ ...list, start }, at), columns, 0, own));
  }

  /** Renders the unfinished block as if it ended here. */
  function openRows(rest: string, known: readonly Token[], columns: number): Row[] {
    const mended = remend(rest, { linkMode: 'text-only', katex: false, inlineKatex: false });
    const tokens = mended === rest ? known : lex(mended);
    const rows = tokens.map((token) => rowsOf(token, columns)).filter((all) => all.length > 0);
    return rows
      .flatMap((all, at): Row[] => (at > 0 ? [[], ...all] : all))
      .map((row) => (row.length === 0 ? row : row.map(({ text, style }) => spanOf(text, style))));
  }
}
