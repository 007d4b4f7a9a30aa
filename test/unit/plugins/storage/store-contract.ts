// The contract for implementations of `storage` and `journals`.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JournalOptions, JournalStore, Storage } from 'agent-harness/plugins/storage';

export interface OpenStores {
  readonly storage: Storage;
  readonly journals: JournalStore;
  readonly folder: string;
  again(): Promise<Pick<OpenStores, 'storage' | 'journals'>>;
  close(): Promise<void>;
}

/** Registers the tests of one implementation. */
export function checkStores(name: string, open: () => Promise<OpenStores>): void {
  describe(name, () => {
    let stores: OpenStores;
    let storage: Storage;
    let journals: JournalStore;
    let at: (...names: string[]) => string;
    beforeEach(async () => {
      stores = await open();
      ({ storage, journals } = stores);
      at = (...names) => join(stores.folder, ...names);
    });
    afterEach(() => stores.close());

    const isNumber = (value: unknown): value is number => typeof value === 'number';
    const options = <T>(more: Partial<JournalOptions<T>> = {}): JournalOptions<T> => ({
      makesFolder: true,
      onFault: (fault) => expect.fail(String(fault)),
      ...more,
    });
    const numberOf = (line: string): number | undefined => (JSON.parse(line) as { n?: number }).n;
    const linesOf = async (store: JournalStore, path: string): Promise<{ text: string; start: number }[]> => {
      const lines = [];
      for await (const some of store.read(path)) lines.push(...some);
      return lines;
    };
    const backwards = async (path: string, end?: number): Promise<{ text: string; start: number }[]> => {
      const lines = [];
      for await (const line of journals.readBackwards(path, end)) lines.push(line);
      return lines;
    };

    test('ids have their prefix and sort in order of creation', () => {
      const ids = Array.from({ length: 200 }, () => storage.createId('turn'));
      expect([...ids].sort()).toEqual(ids);
      expect(new Set(ids).size).toBe(200);
      expect(ids.every((id) => storage.isId('turn', id) && !storage.isId('chat', id))).toBe(true);
      for (const text of ['turn_', 'turn_../../x', `${ids[0]}x`, 5, undefined]) expect(storage.isId('turn', text)).toBe(false);
    });

    test('written data is read back, also by the next process', async () => {
      await storage.writeJson(at('a', 'b.json'), { text: 'wörld', list: [1] });
      await storage.writeFile(at('a', 'blob'), Buffer.from([0, 255, 10]));
      await storage.writeFile(at('text'), 'über\n', { keepsExisting: true });
      await storage.writeFile(at('text'), 'other', { keepsExisting: true });
      for (const { storage: one } of [stores, await stores.again()]) {
        expect(await one.readJson(at('a', 'b.json'))).toEqual({ text: 'wörld', list: [1] });
        expect([...((await one.readBytes(at('a', 'blob'))) ?? [])]).toEqual([0, 255, 10]);
        expect(await one.readText(at('text'))).toBe('über\n');
        expect((await one.list(stores.folder)).sort()).toEqual(['a', 'text']);
        expect((await one.list(at('a'))).sort()).toEqual(['b.json', 'blob']);
      }
    });

    test('missing files read as undefined, and removing them succeeds', async () => {
      expect([await storage.readJson(at('x')), await storage.readText(at('x')), await storage.readBytes(at('x', 'y'))]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect([await storage.has(at('x')), await storage.list(at('x')), await storage.movedAt(at('x'))]).toEqual([false, [], undefined]);
      await storage.remove(at('x'));
      await storage.removeFolder(at('x'));
      await storage.copy(at('x'), at('y'));
      expect(await storage.has(at('y'))).toBe(false);
    });

    test('a document cannot be undefined, and one of a wrong shape is quarantined', async () => {
      await expect(storage.writeJson(at('x'), undefined)).rejects.toThrow(TypeError);
      await storage.writeJson(at('n.json'), 'five');
      await storage.writeFile(at('torn.json'), '{"a"');
      expect([await storage.readJson(at('n.json'), isNumber), await storage.readJson(at('torn.json'))]).toEqual([undefined, undefined]);
      expect((await storage.list(stores.folder)).map((name) => name.replace(/corrupt-.+/, 'corrupt')).sort()).toEqual(['n.json.corrupt', 'torn.json.corrupt']);
    });

    test('updates of one document are sequential, and a throwing update changes nothing', async () => {
      const path = at('count.json');
      const add = (): Promise<number> => storage.updateJson<number>(path, async (before = 0) => (await Promise.resolve(), before + 1), { shape: isNumber });
      expect((await Promise.all(Array.from({ length: 8 }, add))).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      await expect(storage.updateJson(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      expect(await storage.readJson(path)).toBe(8);
    });

    test('a folder moves with its content, never onto another, and records the time', async () => {
      await storage.writeFile(at('one', 'deep', 'a'), 'a');
      await storage.writeFile(at('two', 'b'), 'b');
      await expect(storage.move(at('one'), at('two'))).rejects.toMatchObject({ code: expect.stringMatching(/^(ENOTEMPTY|EEXIST)$/) });
      await expect(storage.move(at('none'), at('three'))).rejects.toMatchObject({ code: 'ENOENT' });
      const before = Date.now();
      await storage.move(at('one'), at('new', 'one'));
      expect([await storage.has(at('one')), await storage.readText(at('new', 'one', 'deep', 'a'))]).toEqual([false, 'a']);
      const moved = (await storage.movedAt(at('new', 'one'))) ?? 0;
      expect(moved).toBeGreaterThanOrEqual(before - 1);
      expect(moved).toBeLessThanOrEqual(Date.now());
      await storage.copy(at('new', 'one'), at('copy'));
      await storage.removeFolder(at('new'));
      expect([await storage.readText(at('copy', 'deep', 'a')), await storage.has(at('new', 'one', 'deep', 'a'))]).toEqual(['a', false]);
    });

    test('synchronous writes are readable immediately', async () => {
      const { atOnce } = storage;
      expect([atOnce.read(at('ids')), atOnce.list(at('marks'))]).toEqual([undefined, []]);
      atOnce.write(at('ids'), '{"next":5}', { isFlushed: true });
      atOnce.write(at('marks', 'chat'), '', { isFlushed: false });
      expect([atOnce.read(at('ids')), atOnce.list(at('marks'))]).toEqual(['{"next":5}', ['chat']]);
      expect((await stores.again()).storage.atOnce.read(at('ids'))).toBe('{"next":5}');
      expect([await atOnce.writeAhead(at('ids'), '{"next":9}', () => false), atOnce.read(at('ids'))]).toEqual([false, '{"next":5}']);
      expect([await atOnce.writeAhead(at('ids'), '{"next":9}', () => true), atOnce.read(at('ids'))]).toEqual([true, '{"next":9}']);
      expect(await storage.list(stores.folder)).toHaveLength(2);
      atOnce.remove(at('marks', 'chat'));
      atOnce.remove(at('marks', 'chat'));
      expect(atOnce.list(at('marks'))).toEqual([]);
    });

    test('a lock has one holder', async () => {
      const held = await storage.lock(at('lock'));
      await expect(storage.lock(at('lock'))).rejects.toMatchObject({ code: 'STORAGE_ERR_LOCKED' });
      await held.dispose();
      await (await storage.lock(at('lock'))).dispose();
    });

    test('a journal can be read by byte position in both directions while it grows', async () => {
      const path = at('chat', 'session.jsonl');
      expect([await linesOf(journals, path), await backwards(path), await journals.size(path), journals.last(path, numberOf)]).toEqual([
        [],
        [],
        undefined,
        undefined,
      ]);
      expect(journals.open(path, options({ makesFolder: false }))).toBeUndefined();
      const writer = journals.open(path, options<number>({ look: numberOf }));
      expect(writer).toMatchObject({ last: undefined, cut: 0, wasOpen: false });
      writer?.append('{"n":1,"t":"ü"}\n{"n":2}\n');
      writer?.append('{"n":3}\n');
      await Promise.all([writer?.sync(), writer?.sync()]);
      const lines = [
        { text: '{"n":1,"t":"ü"}', start: 0 },
        { text: '{"n":2}', start: 17 },
        { text: '{"n":3}', start: 25 },
      ];
      expect([await linesOf(journals, path), await backwards(path), await journals.size(path)]).toEqual([lines, [...lines].reverse(), 33]);
      expect(await backwards(path, 25)).toEqual([lines[1], lines[0]]);
      expect(await storage.has(path)).toBe(true);
      await writer?.close();
      const next = await stores.again();
      expect([await linesOf(next.journals, path), next.journals.last(path, numberOf)]).toEqual([lines, 3]);
    });

    test('unknown lines are skipped in the search for the last entry', async () => {
      const path = at('a.jsonl');
      await storage.writeFile(path, '{"n":7}\n{"other":1}\n{"other":2}\n');
      const writer = journals.open(path, options<number>({ look: numberOf }));
      expect(writer).toMatchObject({ last: 7, cut: 0, wasOpen: false });
      await writer?.close();
    });

    test('a partial last line is quarantined, and one that only lacks its line break stays', async () => {
      for (const [tail, cut, wasOpen, last] of [
        ['{"n":2', 6, false, 1],
        ['{"n":2}', 0, true, 2],
      ] as const) {
        const path = at(`${cut}.jsonl`);
        await storage.writeFile(path, `{"n":1}\n${tail}`);
        expect(await linesOf(journals, path)).toHaveLength(last);
        const writer = journals.open(path, options<number>({ look: numberOf }));
        expect(writer).toMatchObject({ last, cut, wasOpen });
        if (cut > 0) expect(await storage.readText(writer?.aside ?? '')).toBe(tail);
        writer?.append('{"n":9}\n');
        await writer?.sync();
        await writer?.close();
        expect((await linesOf(journals, path)).map(({ text }) => numberOf(text))).toEqual(last === 2 ? [1, 2, 9] : [1, 9]);
      }
    });

    test('a closed journal moves with its folder', async () => {
      const writer = journals.open(at('chat', 'a.jsonl'), options());
      writer?.append('{"n":1}\n');
      await writer?.close();
      await storage.move(at('chat'), at('trash', 'chat'));
      expect([await linesOf(journals, at('trash', 'chat', 'a.jsonl')), await linesOf(journals, at('chat', 'a.jsonl'))]).toEqual([
        [{ text: '{"n":1}', start: 0 }],
        [],
      ]);
    });
  });
}
