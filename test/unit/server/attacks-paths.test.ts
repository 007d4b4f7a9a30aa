// Tests names, paths and links that try to escape their folder.
import { access, link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openUndoBench } from '../builtins/checkpoints/undo-bench.ts';
import { startHarness, useAll, useEach } from '../../helpers/in-process.ts';

const climbs = ['..', '../web_token', '../../../../etc/passwd', '/etc/passwd', '..\\web_token', 'x/../../web_token', '....//web_token'];

describe('path traversal', () => {
  const harness = useAll(() => startHarness());

  test.each(climbs)('with %s as chat, turn, approval or question id finds nothing', async (name) => {
    for (const [path, body] of [
      ['/api/undo', { chatId: name }],
      ['/api/undo', { turnId: name }],
      ['/api/message', { chatId: name, text: 'x' }],
      ['/api/approve', { approvalId: name, decision: 'approve' }],
      ['/api/answer', { askId: name, answer: 'x' }],
    ] as const) {
      const { status } = await harness.call('POST', path, body);
      expect([404, 400], path).toContain(status);
    }
  });

  test.each(climbs)('with %s as attachment name writes nothing outside the chat', async (name) => {
    const before = await readFile(join(harness.home, 'web_token'), 'utf8');
    const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const attachments = [{ name, dataUrl: `data:image/png;base64,${image}` }];
    expect((await harness.call('POST', '/api/message', { text: 'look', attachments, whenBusy: 'queue' })).status).toBe(202);
    expect(await readFile(join(harness.home, 'web_token'), 'utf8')).toBe(before);
    await expect(access(join(harness.home, 'chats', 'web_token'))).rejects.toThrow();
  });
});

describe('links that leave the workspace', () => {
  let outside: string;
  const at = (path: string): string => join(bench.workspace, path);
  const secret = (): Promise<string> => readFile(join(outside, 'secret.txt'), 'utf8');
  const bench = useEach(() => openUndoBench());
  beforeEach(async () => {
    outside = join(bench.workspace, '..', 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), 'foreign');
    await symlink(outside, at('way'));
    await symlink(join(outside, 'secret.txt'), at('file'));
  });

  test('access through a symbolic link requires approval or is rejected, and changes nothing', async () => {
    for (const path of ['file', 'way/secret.txt']) {
      expect(await bench.asks('read_file', { path }), path).toContain('outside the workspace');
      expect(await bench.asks('write_file', { path, content: 'x' }), path).toContain('outside the workspace');
      expect(await bench.asks('edit_file', { path, edits: [{ search: 'foreign', replace: 'mine' }] }), path).toContain('outside the workspace');
    }
    expect(await bench.error('edit_file', { path: 'file', edits: [{ search: 'foreign', replace: 'mine' }] })).toContain(
      'is a symbolic link out of the workspace',
    );
    expect(await secret()).toBe('foreign');
  });

  test('writing, editing and undoing a hard link leaves its other name unchanged', async () => {
    await link(join(outside, 'secret.txt'), at('hard.txt'));
    await bench.output('edit_file', { path: 'hard.txt', edits: [{ search: 'foreign', replace: 'mine' }] }, { turnId: 'turn_1' });
    expect([await readFile(at('hard.txt'), 'utf8'), await secret()]).toEqual(['mine', 'foreign']);
    await writeFile(join(outside, 'secret.txt'), 'newer');
    await bench.undo('turn_1');
    expect([await readFile(at('hard.txt'), 'utf8'), await secret()]).toEqual(['foreign', 'newer']);
  });
});
