// `server.json` of the home folder: where its server is, for other processes.
import { readFile } from 'node:fs/promises';
import type { Http } from 'agent-harness/plugins/http';
import { urlOf } from './origin-policy.ts';

/** `undefined` where no server runs, or where one is writing the file right now. */
export async function readNotice(path: string): ReturnType<Http['running']> {
  try {
    const { pid, port, host } = JSON.parse(await readFile(path, 'utf8')) as { pid?: unknown; port?: unknown; host?: unknown };
    if (!Number.isSafeInteger(pid) || !Number.isSafeInteger(port) || (pid as number) <= 0) return undefined;
    // Throws where there is no such process; one of another user is not our server either.
    process.kill(pid as number, 0);
    return { pid: pid as number, url: urlOf(typeof host === 'string' && host !== '' ? host : '127.0.0.1', port as number) };
  } catch {
    return undefined;
  }
}
