// Tests event ids: no id is issued that a restart could issue again.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventIds, type EventIds } from '../../../../plugins/chats/journal/event-ids.ts';
import { filesAtOnce } from '../../../../plugins/storage/at-once.ts';
import { createJournalFiles } from '../../../../plugins/storage/journal-files.ts';
import { useFolder } from '../../../helpers/use-opened.ts';
import { runs } from '../../../helpers/dice.ts';

const stores = { files: filesAtOnce, journals: createJournalFiles() };
const folder = useFolder('event-ids-');

const open = (blockSize?: number): EventIds =>
  createEventIds({
    ...stores,
    path: join(folder, 'event_id.json'),
    chatsFolder: join(folder, 'chats'),
    onBroken: () => undefined,
    ...(blockSize === undefined ? {} : { blockSize }),
  });
const saved = (): number => (JSON.parse(readFileSync(join(folder, 'event_id.json'), 'utf8')) as { next: number }).next;

test('issued ids stay below the reserved block on disk under any interleaving', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('next' as const), times: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ kind: fc.constantFrom('ahead' as const, 'pass' as const, 'idle' as const, 'killed' as const, 'goOn' as const), times: fc.constant(1) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await writeFile(join(folder, 'event_id.json'), '{"next":1}');
      let ids = open(6);
      let last = 0;
      for (const { kind, times } of steps) {
        if (kind === 'ahead') void ids.reserveAhead();
        if (kind === 'pass') await setImmediate();
        if (kind === 'idle') await ids.idle();
        if (kind === 'goOn') ids.continueAfter(last + 3);
        if (kind === 'killed') {
          // A killed process does not finish its pending work.
          await ids.idle();
          ids = open(6);
        }
        for (let at = 0; kind === 'next' && at < times; at++) {
          const id = ids.next();
          expect(id).toBeGreaterThan(last);
          expect(saved()).toBeGreaterThan(id);
          last = id;
        }
      }
      await ids.idle();
      expect(saved()).toBeGreaterThan(last);
    }),
    runs(240),
  );
});

test('reserved ids are issued without disk access', async () => {
  const ids = open();
  await ids.reserveAhead();
  expect(saved()).toBe(100_001);
  await rm(join(folder, 'event_id.json'));
  expect([ids.next(), ids.next()]).toEqual([1, 2]);
  await expect(readFile(join(folder, 'event_id.json'))).rejects.toThrow('ENOENT');
});

test('a failed reservation throws when an id is requested, not during preparation', async () => {
  const ids = createEventIds({ ...stores, path: join(folder, 'event_id.json', 'x'), chatsFolder: folder, onBroken: () => undefined });
  await writeFile(join(folder, 'event_id.json'), '');
  await ids.reserveAhead();
  expect(() => ids.next()).toThrow('ENOTDIR');
});
