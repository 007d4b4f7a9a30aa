// Starts a program with no process relation to this one, like a program that the user runs alongside the server.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

export async function runOutside(code: string, uid?: number, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'outside-'));
  await chmod(folder, 0o777);
  const out = join(folder, 'out');
  const script = '(while kill -0 $$ 2>/dev/null; do sleep 0.01; done; "$NODE" -e "$CODE" > "$OUT.part"; mv "$OUT.part" "$OUT") > /dev/null 2>&1 &';
  const env = { PATH: process.env['PATH'], NODE: process.execPath, CODE: code, OUT: out, ...environment };
  await promisify(execFile)('/bin/sh', ['-c', script], { env, cwd: '/', ...(uid === undefined ? {} : { uid, gid: uid }) });
  for (;;) {
    const printed = await readFile(out, 'utf8').catch(() => undefined);
    if (printed !== undefined) {
      await rm(folder, { recursive: true, force: true });
      return printed;
    }
    await delay(10);
  }
}

export const printReply = (url: string): string => `fetch('${url}').then((reply) => reply.text()).then((text) => process.stdout.write(text))`;
