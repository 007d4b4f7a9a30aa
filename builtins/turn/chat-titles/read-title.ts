// Parses the title in a model's reply: one line, without quotes, heading marks or a final full stop.
import { oneLine } from '#lib/text';

const longestTitle = 60;
const mostWords = 12;

/** Returns the title; `undefined` if the reply is empty, or is a complete answer instead of a title. */
export function readTitle(reply: string): string | undefined {
  const line = reply.split('\n').find((one) => one.trim() !== '') ?? '';
  const bare = oneLine(line)
    .replace(/^[#*\s]*(?:title\s*:\s*)?/i, '')
    .replace(/^["'“”„«»*`]+|["'“”„«»*`.。]+$/gu, '')
    .trim();
  const isTitle = /\p{L}|\p{N}/u.test(bare) && bare.length <= longestTitle && bare.split(' ').length <= mostWords;
  return isTitle ? bare : undefined;
}
