// Reads streamed markdown as sentences for speech: emits each complete sentence once, in order, and only parses the unfinished
// sentence again.
import { openFence, type Fence } from '#lib/markdown';
import { isSayable, inlineToSpeech } from './inline-to-speech.ts';
import { longestOpen, SentenceBuffer, type SpokenSentence } from './sentence-buffer.ts';

export interface SpokenReader {
  add(piece: string): SpokenSentence[];
  /** Returns the remaining sentences. No text can be added afterwards. */
  end(): SpokenSentence[];
}

/** Number of characters that identify the type of a line. */
const decidedAt = 5;

const quote = /^\s*(?:>\s?)+/;
const item = /^\s*(?:(?:[-*+\u2022]|(\d{1,9})[.)])\s+)+(?:\[([ xX])\]\s+)?/;
const heading = /^\s{0,3}#{1,6}\s+/;
const rule = /^\s{0,3}(?:(?:[-_*]\s*){3,}|=+)$/;
const delimiter = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const definition = /^\s{0,3}\[[^\]]+\]:\s/;
/** Beginnings that can only be identified on a complete line. */
const unclear = /^\s*(?:[`~]{3}|\||\$\$|\\\[|<|\[(?:\^|[^\]]*\]?$|[^\]]*\]:)|[-:|\s]+$|[=*_#>+\d.)\s]+$)/;

type Special =
  | { readonly kind: 'code'; readonly fence: Fence; lines: number }
  | { readonly kind: 'indented'; lines: number }
  | { readonly kind: 'formula'; readonly close: string }
  | { readonly kind: 'table'; readonly columns: string; rows: number }
  | { readonly kind: 'comment' };

export function createSpokenReader(): SpokenReader {
  /** Incomplete line that is not yet part of the text. */
  let line = '';
  let isOpen = false;
  let isHeading = false;
  let special: Special | undefined;
  let wasBlank = true;
  let isList = false;
  const buffer = new SentenceBuffer();

  function endBlock(): void {
    buffer.endBlock();
    isHeading = false;
  }

  function endSpecial(): void {
    const over = special;
    special = undefined;
    if (over?.kind === 'code' || over?.kind === 'indented') buffer.announce(`Code, ${count(over.lines, 'line')}.`);
    if (over?.kind === 'formula') buffer.announce('A formula.');
    if (over?.kind === 'table') buffer.announce(`A table with ${count(over.rows, 'row')}${over.columns === '' ? '' : `: ${over.columns}`}.`);
  }

  /** Returns whether the line continued the open block. */
  function goesOn(whole: string): boolean {
    const bare = whole.replace(quote, '');
    switch (special?.kind) {
      case 'code':
        if (special.fence.closesWith(bare.trim())) endSpecial();
        else special.lines++;
        return true;
      case 'indented':
        if (!/^(?: {4}|\t)/.test(whole)) return (endSpecial(), false);
        special.lines++;
        return true;
      case 'formula':
        if (bare.includes(special.close)) endSpecial();
        return true;
      case 'comment':
        if (bare.includes('-->')) special = undefined;
        return true;
      case 'table':
        if (!bare.includes('|')) return (endSpecial(), false);
        special.rows++;
        return true;
      default:
        return false;
    }
  }

  /** Returns whether the line opens a block that is not read as text. */
  function opensSpecial(whole: string): boolean {
    const bare = whole.replace(quote, '');
    const prefix = item.exec(bare)?.[0] ?? '';
    const rest = bare.slice(prefix.length);
    const opened = openFence(rest.trim());
    const formula = /^\s*(\$\$|\\\[)/.exec(rest)?.[1];
    const isIndented = /^(?: {4}|\t)/.test(whole) && wasBlank && !isList;
    if (opened === undefined && formula === undefined && !isIndented && !/^\s*<!--/.test(rest)) return false;
    beginBlock(bare, prefix);
    if (opened) special = { kind: 'code', fence: opened, lines: 0 };
    else if (formula !== undefined) {
      const close = formula === '$$' ? '$$' : '\\]';
      special = { kind: 'formula', close };
      if (rest.trim().slice(2).includes(close)) endSpecial();
    } else if (isIndented) special = { kind: 'indented', lines: 1 };
    else if (!rest.includes('-->')) special = { kind: 'comment' };
    return true;
  }

  function beginBlock(bare: string, prefix: string): void {
    endBlock();
    const [, number, box] = item.exec(prefix) ?? [];
    if (prefix !== '') isList = true;
    else if (!/^\s/.test(bare)) isList = false;
    buffer.leadWith(`${number === undefined ? '' : `${number}. `}${box === undefined ? '' : box === ' ' ? 'To do: ' : 'Done: '}`);
  }

  /** Starts a line of text: removes the syntax before its words. */
  function openLine(start: string): void {
    isOpen = true;
    // The possible header was not a table header.
    if (buffer.isHeld && !delimiter.test(start)) buffer.release();
    const marks = quote.exec(start)?.[0] ?? '';
    const bare = start.slice(marks.length);
    const prefix = (item.exec(bare) ?? heading.exec(bare))?.[0] ?? '';
    if (prefix !== '' || wasBlank) beginBlock(bare, prefix);
    isHeading = heading.test(bare);
    wasBlank = false;
    buffer.skip(marks.length + prefix.length);
    buffer.beginLine();
    buffer.append(bare.slice(prefix.length));
  }

  function takeLine(whole: string): void {
    if (isOpen) return closeLine(whole);
    const units = whole.length + 1;
    const isTable = buffer.isHeld && delimiter.test(whole.replace(quote, '')) && /[|-]/.test(whole);
    if (goesOn(whole)) buffer.skip(units);
    else if (isTable) {
      const columns = buffer.takeHeader().replace(quote, '');
      endBlock();
      buffer.skip(units);
      special = { kind: 'table', columns: columnsOf(columns), rows: 0 };
    } else if (whole.trim() === '' || rule.test(whole)) {
      endBlock();
      buffer.skip(units);
      wasBlank = true;
      return;
    } else if (opensSpecial(whole)) buffer.skip(units);
    else if (definition.test(whole)) {
      endBlock();
      buffer.skip(units);
    } else {
      openLine(whole);
      closeLine('');
    }
    wasBlank = false;
  }

  /** Processes the rest of a line whose beginning is part of the text. */
  function closeLine(rest: string): void {
    isOpen = false;
    if (isHeading) {
      buffer.append(rest);
      buffer.skip(1);
      return endBlock();
    }
    buffer.append(`${rest}\n`);
  }

  /** Returns whether the available part of a line identifies it as text. */
  function isText(start: string): boolean {
    if (start.length > longestOpen) return true;
    const rest = start.replace(quote, '').replace(item, '').replace(heading, '');
    return rest.trim().length >= decidedAt && !unclear.test(rest) && !(wasBlank && /^(?: {4}|\t)/.test(start));
  }

  return {
    add(piece) {
      buffer.receive(piece.length);
      const parts = piece.split('\n');
      const last = parts.pop() ?? '';
      for (const part of parts) {
        const whole = line + part;
        line = '';
        takeLine(whole.replace(/\r$/, ''));
      }
      if (isOpen) {
        if (last !== '') buffer.append(last);
      } else {
        line += last;
        if (special === undefined && isText(line)) {
          const start = line;
          line = '';
          openLine(start);
        }
      }
      return buffer.drain();
    },
    end() {
      const rest = line;
      line = '';
      if (rest !== '') takeLine(rest);
      endSpecial();
      endBlock();
      return buffer.drain();
    },
  };
}

function count(many: number, one: string): string {
  return `${many} ${one}${many === 1 ? '' : 's'}`;
}

function columnsOf(head: string): string {
  return head
    .split(/(?<!\\)\|/)
    .map((cell) => inlineToSpeech(cell))
    .filter(isSayable)
    .join(', ');
}
