// Whether this machine can sandbox commands: where bubblewrap is installed but forbidden, its tests are left out with the reason.
import { execFileSync } from 'node:child_process';
import { findBubblewrap, tryBubblewrap } from '#lib/bubblewrap';

const found = await findBubblewrap(process.env['PATH'] ?? '', '/nowhere');
const probed = 'program' in found ? await tryBubblewrap(found.program) : found;
export const whyNot = 'why' in probed ? probed.why : undefined;

// In CI it belongs to what is set up; a missing package must not look like success.
if (process.env['CI'] === 'true' && process.platform === 'linux' && whyNot?.includes('not installed'))
  throw new Error(`${whyNot} Install the package bubblewrap.`);

export const title = whyNot === undefined ? 'in a sandbox' : `in a sandbox (left out: ${whyNot})`;

/** Living processes whose command line contains a text that only the test knows. */
export function alive(marker: string): string[] {
  const rows = execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).split('\n');
  return rows.filter((row) => row.includes(marker) && !row.trim().startsWith('Z'));
}
