// Tests the limit on pending texts: a chat whose texts were dropped is reported as incomplete.
import { expect, test } from 'vitest';
import { createWaitingTexts } from '../../../../builtins/turn/origins/waiting-texts.ts';

const origin = { kind: 'web', ref: 'https://example.com/', isOutside: true } as const;

test.each([
  ['no further text', false],
  ['another text of the same chat', true],
])('reports texts displaced by other chats as missing, with %s', (_, isMore) => {
  const waiting = createWaitingTexts();
  waiting.note('chat', 'Flour and eggs.', origin);
  for (let number = 0; number < 40; number++) waiting.note(`chat ${number}`, `Page ${number}.`, origin);
  if (isMore) waiting.note('chat', 'Milk.', origin);
  expect(waiting.take('chat')).toEqual({ texts: isMore ? [{ text: 'Milk.', origin }] : [], isWhole: false, ...(isMore ? { signs: 5 } : {}) });
  expect(waiting.take('chat')).toEqual({ texts: [], isWhole: true });
});
