import { chmod, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openUndoBench } from './undo-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const at = (path: string): string => join(bench.workspace, path);
const text = (path: string): Promise<string> => readFile(at(path), 'utf8');
const write = (turnId: string, path: string, content: string): Promise<string> => bench.output('write_file', { path, content }, { turnId });

const bench = useEach(() => openUndoBench());

test('restores content and mode from before the turn after several changes of one file', async () => {
  await writeFile(at('a.sh'), 'first');
  await chmod(at('a.sh'), 0o755);
  await write('turn_1', 'a.sh', 'second');
  await write('turn_1', 'a.sh', 'third');
  await bench.output('edit_file', { path: 'a.sh', edits: [{ search: 'third', replace: 'fourth' }] }, { turnId: 'turn_1' });
  expect(await bench.undo()).toMatchObject({ turnId: 'turn_1', restored: ['a.sh'], conflicts: [] });
  expect(await text('a.sh')).toBe('first');
  expect((await stat(at('a.sh'))).mode & 0o777).toBe(0o755);
});

test('removes new files and their new folders, except folders with other files', async () => {
  await mkdir(at('old'));
  await write('turn_1', 'old/new/deep/a.txt', 'a');
  await write('turn_1', 'mine/b.txt', 'b');
  await writeFile(at('mine/hand.txt'), 'hand');
  expect((await bench.undo()).restored).toEqual(['old/new/deep/a.txt', 'mine/b.txt']);
  expect(await readdir(at('old'))).toEqual([]);
  expect(await readdir(at('mine'))).toEqual(['hand.txt']);
});

test('undoes turns one by one, last first, and recreates deleted folders', async () => {
  await mkdir(at('sub'));
  await writeFile(at('sub/a.txt'), '0');
  await write('turn_1', 'sub/a.txt', '1');
  await write('turn_2', 'sub/a.txt', '2');
  expect((await bench.undo()).turnId).toBe('turn_2');
  expect((await bench.undo()).turnId).toBe('turn_1');
  expect(await text('sub/a.txt')).toBe('0');
  await expect(bench.undo()).rejects.toMatchObject({ code: 'CHECKPOINTS_ERR_NOT_FOUND', status: 404 });
});

test('leaves later manual changes alone and reports them as conflicts', async () => {
  await writeFile(at('a.txt'), 'a');
  await writeFile(at('c.txt'), 'c');
  for (const path of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await write('turn_1', path, 'tool');
  await writeFile(at('a.txt'), 'hand');
  await rm(at('c.txt'));
  await rm(at('d.txt'));
  await symlink('a.txt', at('d.txt'));
  expect(await bench.undo()).toMatchObject({ turnId: 'turn_1', restored: ['b.txt'], conflicts: ['a.txt', 'c.txt', 'd.txt'] });
  expect(await text('a.txt')).toBe('hand');
  await writeFile(at('a.txt'), 'tool');
  expect(await bench.undo('turn_1')).toMatchObject({ turnId: 'turn_1', restored: ['a.txt'], conflicts: ['c.txt', 'd.txt'] });
  expect(await text('a.txt')).toBe('a');
});

test('keeps a manual edit between two changes of the turn', async () => {
  await writeFile(at('a.txt'), 'start\n');
  await write('turn_1', 'a.txt', 'start\ntool\n');
  await writeFile(at('a.txt'), 'start\ntool\nhand\n');
  await bench.output('edit_file', { path: 'a.txt', edits: [{ search: 'start', replace: 'START' }] }, { turnId: 'turn_1' });
  expect(await bench.undo()).toMatchObject({ restored: [], conflicts: ['a.txt'] });
  expect(await text('a.txt')).toBe('START\ntool\nhand\n');
});

test('rejects a turn that was already undone and an unknown turn', async () => {
  await write('turn_1', 'a.txt', 'x');
  await bench.undo('turn_1');
  await expect(bench.undo('turn_1')).rejects.toMatchObject({ code: 'CHECKPOINTS_ERR_ALREADY_RESOLVED', status: 409 });
  await expect(bench.undo('turn_9')).rejects.toMatchObject({ code: 'CHECKPOINTS_ERR_NOT_FOUND' });
});

test('a failed write leaves no change to undo', async () => {
  await writeFile(at('file'), 'x');
  await write('turn_1', 'a.txt', 'x');
  const { checkpoints } = bench;
  const context = { chatId: 'chat_1', turnId: 'turn_2', callId: 'call_9' };
  await checkpoints.before(context, at('b.txt'), Buffer.from('never'));
  await checkpoints.cancel(context, at('b.txt'));
  expect(await bench.undo()).toMatchObject({ ok: false, turnId: 'turn_2', restored: [], previous: { turnId: 'turn_1', files: ['a.txt'] } });
  expect((await bench.undo('turn_1')).restored).toEqual(['a.txt']);
});

test('rejects a change of a file that is too large to store', async () => {
  const { truncate } = await import('node:fs/promises');
  await writeFile(at('huge.bin'), '');
  await truncate(at('huge.bin'), 257 * 1024 * 1024);
  const context = { chatId: 'chat_1', turnId: 'turn_1', callId: 'call_1' };
  await expect(bench.checkpoints.before(context, at('huge.bin'), Buffer.from('x'))).rejects.toMatchObject({ code: 'CHECKPOINTS_ERR_TOO_LARGE' });
});

test('undoes turns after a restart and after a crash left a partial log line', async () => {
  await writeFile(at('a.txt'), 'before');
  await write('turn_1', 'a.txt', 'after');
  const log = join(bench.chatFolder, 'checkpoints', 'log.jsonl');
  await writeFile(log, `${await readFile(log, 'utf8')}{"kind":"change","turnId":"turn_2","pa`);
  await bench.owner.call('chat.close', ['chat_1']);
  await write('turn_3', 'b.txt', 'b');
  await bench.owner.call('chat.close', ['chat_1']);
  expect((await bench.undo()).turnId).toBe('turn_3');
  expect((await bench.undo()).turnId).toBe('turn_1');
  expect(await text('a.txt')).toBe('before');
});

test('random edits by tools and by hand: manual edits survive and all other files are restored', async () => {
  let seed = 42;
  const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  for (let round = 0; round < 25; round++) {
    const names = Array.from({ length: 8 }, (_, index) => `r${round}/${index % 3}/f${index}.txt`);
    const before = new Map<string, string | undefined>();
    for (const name of names) {
      const content = random(2) === 0 ? `start ${name}` : undefined;
      before.set(name, content);
      if (content === undefined) continue;
      await mkdir(join(at(name), '..'), { recursive: true });
      await writeFile(at(name), content);
    }
    const byHand = new Map<string, string>();
    const touched = new Set<string>();
    for (let step = 0; step < 30; step++) {
      const name = names[random(names.length)] ?? '';
      if (random(6) === 0 && touched.has(name)) {
        byHand.set(name, `hand ${step}`);
        await writeFile(at(name), `hand ${step}`);
      } else if (!byHand.has(name)) {
        touched.add(name);
        await write(`turn_${round}`, name, `tool ${random(4)}`);
      }
    }
    const reply = await bench.undo(`turn_${round}`);
    expect(reply.conflicts.sort()).toEqual([...byHand.keys()].sort());
    for (const name of names) {
      const now = await text(name).catch(() => undefined);
      expect(now, `${name} in round ${round}`).toBe(byHand.get(name) ?? before.get(name));
    }
  }
});
