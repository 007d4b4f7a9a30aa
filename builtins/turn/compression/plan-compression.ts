// Plans the three levels of a compression: newest rounds in full, older rounds as lines, oldest rounds in a digest. Pure.
import type { ModelMessage } from 'agent-harness/plugins/models';
import type { Part } from './conversation-parts.ts';
import { lengthOf } from './fold-lines.ts';
import { lineSizes, linesOfRound } from './one-liners.ts';

export interface CompressionPlan {
  /** Index of the first message after the digest. */
  readonly mid: number;
  /** Index of the first message that stays unchanged; rounds between `mid` and `cut` become lines. */
  readonly cut: number;
  /** Maximum length of a compressed user message in UTF-16 code units. */
  readonly userLimit: number;
  /** Space for the digest in UTF-16 code units. */
  readonly digestRoom: number;
  /** Remaining space for lines in UTF-16 code units. */
  readonly linesRoom: number;
}

const longestUserText = 4_000;
const shortestUserText = 240;
/** Maximum share of the space for user messages. */
const userShare = 0.35;
/** Share of the remaining space for rounds that stay in full. */
const wholeShare = 0.5;
const linesShare = 0.25;
/** Length of the frame around the lines between two user messages (a call, its id and a heading), in UTF-16 code units. */
const runFrame = 400;

/** @param room space for the conversation in UTF-16 code units */
export function planCompression(messages: readonly ModelMessage[], parts: readonly Part[], room: number): CompressionPlan {
  const { userLimit, userChars } = limitUserTexts(parts, room * userShare);
  const left = room - userChars;
  const cut = startOfWhole(parts, left * wholeShare);
  const linesRoom = left * linesShare;
  const mid = startOfLines(messages, parts, cut, linesRoom);
  return { mid, cut, userLimit, linesRoom, digestRoom: Math.floor(left * (1 - wholeShare - linesShare)) };
}

function limitUserTexts(parts: readonly Part[], room: number): { userLimit: number; userChars: number } {
  const texts = parts.filter((part) => part.kind === 'user').map((part) => part.chars);
  const sumAt = (limit: number): number => texts.reduce((sum, chars) => sum + Math.min(chars, limit), 0);
  let userLimit = longestUserText;
  while (sumAt(userLimit) > room && userLimit > shortestUserText) userLimit = Math.max(shortestUserText, Math.floor(userLimit / 2));
  return { userLimit, userChars: Math.min(sumAt(userLimit), room) };
}

/** Returns the start of the parts that stay in full. The newest part always stays, because the model has not answered it yet. */
function startOfWhole(parts: readonly Part[], room: number): number {
  let at = parts.length - 1;
  let left = room - (parts[at]?.chars ?? 0);
  while (at > 0) {
    const chars = parts[at - 1]?.chars ?? 0;
    if (chars > left) break;
    left -= chars;
    at--;
  }
  return parts[at]?.start ?? 0;
}

function startOfLines(messages: readonly ModelMessage[], parts: readonly Part[], cut: number, room: number): number {
  let left = room;
  let mid = cut;
  for (const part of parts.filter(({ end }) => end <= cut).reverse()) {
    left -= part.kind === 'user' ? runFrame : lengthOf(linesOfRound(messages, part, lineSizes));
    if (left < 0) break;
    mid = part.start;
  }
  return mid;
}
