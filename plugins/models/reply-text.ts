// Splits the streamed text of a model's reply into answer, tagged reasoning, and tool calls written as text.
import { callMark, maxMarkLength, mayBeCalls, readMarkedCalls, readWholeCalls, type TextCall } from './text-calls.ts';

export interface ReplyTextSink {
  text(delta: string): void;
  reasoning(delta: string): void;
  /** Called after a closing tag without an opening one (the opening tag is in the chat template): all text so far was reasoning. */
  wasReasoning(): void;
}

export interface ReplyText {
  take(delta: string): void;
  /** Emits the buffered text, and returns the calls found in it. @param hasCalls whether the reply has native calls; its text is then not parsed */
  end(hasCalls: boolean): { readonly calls: readonly TextCall[]; readonly isUnread: boolean };
}

const opening = /^\s*<(think|thinking)>/;
const openings = ['<think>', '<thinking>'];
const closing = /<\/(?:think|thinking)>/;
/** Matches a closing tag only on its own line, because an answer about such tags must stay unchanged. */
const loneClosing = /(?:^|\n)[ \t]*<\/think>[ \t]*(?:\n|$)/;
const longestClosing = 14;

/** Creates the splitter for one reply. @param isTool returns whether the request offers a tool of that name; default: no calls are parsed */
export function createReplyText(sink: ReplyTextSink, isTool?: (name: string) => boolean): ReplyText {
  let mode: 'start' | 'reasoning' | 'begin' | 'text' | 'call' = 'start';
  let held = '';
  let hasReasoned = false;
  let code: CodeState = { isInside: false, line: '' };
  let isWhole = false;
  /** Whether only blanks were emitted since the last line break. */
  let isLineStart = true;

  function take(delta: string): void {
    held += delta;
    for (let before; before !== mode;) {
      before = mode;
      if (mode === 'start') begin();
      else if (mode === 'reasoning') reason();
      else if (mode === 'begin') decide();
      else if (mode === 'text') say();
    }
  }

  function begin(): void {
    const found = opening.exec(held);
    if (found) {
      held = held.slice(found[0].length);
      mode = 'reasoning';
      hasReasoned = true;
      return;
    }
    const start = held.trimStart();
    if (!openings.some((tag) => tag.startsWith(start))) mode = 'begin';
  }

  function reason(): void {
    const found = closing.exec(held);
    if (found) {
      emitReasoning(held.slice(0, found.index));
      held = held.slice(found.index + found[0].length).trimStart();
      mode = 'begin';
      return;
    }
    const end = held.lastIndexOf('<', held.length);
    const safe = end >= 0 && held.length - end < longestClosing ? end : held.length;
    emitReasoning(held.slice(0, safe));
    held = held.slice(safe);
  }

  /** Decides whether the whole reply may be the JSON of a call. */
  function decide(): void {
    if (hasReasoned && held.trim() === '') return void (held = '');
    const answer = isTool ? mayBeCalls(held) : false;
    if (answer === undefined) return;
    isWhole = answer;
    mode = answer ? 'call' : 'text';
  }

  function say(): void {
    const lone = hasReasoned ? undefined : findInLine(loneClosing);
    if (lone) {
      emitText(held.slice(0, lone.index));
      sink.wasReasoning();
      hasReasoned = true;
      held = held.slice(lone.end).trimStart();
      mode = 'begin';
      return;
    }
    const mark = isTool ? findInLine(callMark) : undefined;
    if (mark) {
      emitText(held.slice(0, mark.index));
      held = held.slice(mark.index);
      mode = 'call';
      return;
    }
    // Buffers the possible beginning of a marker.
    const line = held.lastIndexOf('\n') + 1;
    const last = held.slice(line);
    const isOpen = last.length < maxMarkLength && (line > 0 || isLineStart) && /^[ \t]*[<[]/.test(last);
    const safe = isOpen ? line : held.length;
    emitText(held.slice(0, safe));
    held = held.slice(safe);
  }

  /** Finds a match at the start of a line, outside code. */
  function findInLine(pattern: RegExp): { readonly index: number; readonly end: number } | undefined {
    if (!held.includes('<') && !held.includes('[')) return undefined;
    const before = isLineStart ? '' : '.';
    const found = pattern.exec(before + held);
    if (!found) return undefined;
    const index = found.index - before.length;
    return codeAfter(code, held.slice(0, index + 1)).isInside ? undefined : { index, end: index + found[0].length };
  }

  function emitText(text: string): void {
    if (text === '') return;
    code = codeAfter(code, text);
    const line = text.slice(text.lastIndexOf('\n') + 1);
    isLineStart = (text.includes('\n') || isLineStart) && line.trim() === '';
    sink.text(text);
  }
  function emitReasoning(text: string): void {
    if (text !== '') sink.reasoning(text);
  }

  return {
    take,
    end(hasCalls) {
      const rest = held;
      held = '';
      if (mode === 'reasoning') emitReasoning(rest);
      if (mode !== 'call') {
        if (mode !== 'reasoning') emitText(rest);
        return { calls: [], isUnread: false };
      }
      const calls = hasCalls || !isTool ? [] : isWhole ? readWholeCalls(rest, isTool) : readMarkedCalls(rest);
      if (calls.length === 0) emitText(rest);
      return { calls, isUnread: calls.length === 0 && !isWhole && !hasCalls };
    },
  };
}

/** State at the end of the text so far: whether it is inside a fenced code block, and the beginning of the last line. */
interface CodeState {
  readonly isInside: boolean;
  readonly line: string;
}

const fence = /^ {0,3}```/;
/** Number of characters of a line that are needed to detect a fence. */
const lineStart = 6;

function codeAfter({ isInside, line }: CodeState, text: string): CodeState {
  const [first = '', ...others] = text.split('\n');
  let inside = isInside;
  const wasFence = fence.test(line);
  let last = (line + first).slice(0, lineStart);
  if (!wasFence && fence.test(last)) inside = !inside;
  for (const other of others) {
    last = other.slice(0, lineStart);
    if (fence.test(last)) inside = !inside;
  }
  return { isInside: inside, line: last };
}
