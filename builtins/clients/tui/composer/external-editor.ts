// Edits the input text in the user's own editor.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Resolves with the saved text. Rejects if no editor could be started. */
export async function editOutside(text: string): Promise<string> {
  const editor = process.env['VISUAL'] ?? process.env['EDITOR'] ?? 'vi';
  const folder = await mkdtemp(join(tmpdir(), 'message-'));
  const file = join(folder, 'message.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    await new Promise<void>((resolve, reject) => {
      // The command that the user configured, which may contain options: `code --wait`.
      const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
      child.once('error', reject).once('close', (code) => (code === 0 ? resolve() : reject(new Error(`The editor '${editor}' exited with ${code}.`))));
    });
    return (await readFile(file, 'utf8')).replace(/\n$/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
