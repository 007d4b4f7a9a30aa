import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLogs } from '../../../../builtins/turn/checkpoints/checkpoint-log.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const home = useFolder('checkpoint-log-');

const storage = { readText: (path: string) => readFile(path, 'utf8').catch(() => undefined) };
const record = (at: string) => ({ kind: 'told', at }) as const;

test('keeps the next record after a failed write left a partial line', async () => {
  const logs = openLogs((chatId) => join(home, chatId), storage);
  const file = join(logs.folder('chat_1'), 'log.jsonl');
  await logs.append('chat_1', record('first'));
  const before = await readFile(file);
  await rm(file);
  await mkdir(file);
  await expect(logs.append('chat_1', record('lost'))).rejects.toThrow();
  await rm(file, { recursive: true });
  await writeFile(file, `${before.toString()}{"kind":"to`);
  await logs.append('chat_1', record('second'));
  expect(await openLogs((chatId) => join(home, chatId), storage).read('chat_1')).toEqual([record('first'), record('second')]);
});
