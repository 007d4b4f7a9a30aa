// Tests the playback order of clips: each once and in sequence, in any arrival order.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClipOrder, type ClipOrder, type SpokenClip } from '../../../../builtins/voice/speech/ui/clip-order.ts';
import { runs } from '../../../helpers/dice.ts';

const clip = (seq: number, epoch = 5): SpokenClip => ({ chatId: 'c', epoch, seq, url: `/${epoch}/${seq}`, text: `${epoch}.${seq}` });

function drain(order: ClipOrder): string[] {
  const texts: string[] = [];
  for (let next = order.next(); next; next = order.next()) texts.push(next.text);
  return texts;
}

test('plays each clip once and in order despite reordering, duplicates and failures', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { maxLength: 100 }), fc.uniqueArray(fc.nat(29)), fc.nat(30), (arrivals, failed, count) => {
      const order = createClipOrder();
      const all = Array.from({ length: count }, (_, seq) => seq);
      const spoken: string[] = [];
      for (const seq of [...arrivals.filter((one) => one < count), ...all]) {
        if (failed.includes(seq)) order.skip(clip(seq));
        else order.add(clip(seq));
        spoken.push(...drain(order));
      }
      expect(spoken).toEqual(all.filter((seq) => !failed.includes(seq)).map((seq) => `5.${seq}`));
    }),
    runs(300),
  );
});

test('drops clips of an earlier epoch', () => {
  const order = createClipOrder();
  expect([order.add(clip(0)), order.add(clip(1)), order.add(clip(0, 6)), order.add(clip(2))]).toEqual([true, true, true, false]);
  expect(drain(order)).toEqual(['6.0']);
  order.drop(6);
  expect([order.add(clip(1, 6)), order.add(clip(0, 7))]).toEqual([false, true]);
  expect(drain(order)).toEqual(['7.0']);
});

test('skips a missing clip on request', () => {
  const order = createClipOrder();
  order.add(clip(1));
  order.add(clip(2));
  expect([order.next(), order.hasGap]).toEqual([undefined, true]);
  expect(order.next(true)?.text).toBe('5.1');
  expect([drain(order), order.hasGap, order.add(clip(0))]).toEqual([['5.2'], false, false]);
});
