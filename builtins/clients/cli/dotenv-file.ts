// Appends the user's decisions at a terminal to the `.env` of the home folder; the only writer of that file.
import { appendFile, chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ownerOnly = 0o600;

/** Appends the lines, and returns the path of the file. Of two lines for a variable, the later one counts. */
export async function appendToDotenv(home: string, lines: string): Promise<string> {
  const path = join(home, '.env');
  const before = await readFile(path, 'utf8').catch(() => '');
  const lineBreak = before === '' || before.endsWith('\n') ? '' : '\n';
  await appendFile(path, `${lineBreak}${lines}\n`, { mode: ownerOnly });
  await chmod(path, ownerOnly);
  return path;
}
