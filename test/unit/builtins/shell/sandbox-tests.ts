// Detects whether this machine can sandbox commands; otherwise the sandbox tests are skipped with the reason.
import { execFileSync } from 'node:child_process';
import { findBubblewrap, tryBubblewrap } from '#lib/bubblewrap';

const found = await findBubblewrap(process.env['PATH'] ?? '', '/nowhere');
const probed = 'program' in found ? await tryBubblewrap(found.program) : found;
export const whyNot = 'why' in probed ? probed.why : undefined;

// CI must have bubblewrap installed: a missing package must not skip the tests silently.
if (process.env['CI'] === 'true' && process.platform === 'linux' && whyNot?.includes('not installed'))
  throw new Error(`${whyNot} Install the package bubblewrap.`);

export const title = whyNot === undefined ? 'in a sandbox' : `in a sandbox (left out: ${whyNot})`;

/** Returns live processes whose command line contains a marker unique to the test. */
export function alive(marker: string): string[] {
  const rows = execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).split('\n');
  return rows.filter((row) => row.includes(marker) && !row.trim().startsWith('Z'));
}
