// Appends settings that the user chose in a terminal to the `.env` file of the home folder. No other module writes this file.
import { appendFile, chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ownerOnly = 0o600;

/** Appends the lines, and returns the path of the file. If several lines set a variable, the last one applies. */
export async function appendToDotenv(home: string, lines: string): Promise<string> {
  const path = join(home, '.env');
  const before = await readFile(path, 'utf8').catch(() => '');
  const lineBreak = before === '' || before.endsWith('\n') ? '' : '\n';
  await appendFile(path, `${lineBreak}${lines}\n`, { mode: ownerOnly });
  await chmod(path, ownerOnly);
  return path;
}
