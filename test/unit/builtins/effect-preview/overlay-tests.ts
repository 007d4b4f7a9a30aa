// Checks for command preview support: a sandbox, and overlay mounts for the current user. Otherwise the tests are skipped with the reason.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyNot as whyNoSandbox } from '../shell/sandbox-tests.ts';

function whyNoOverlay(): string | undefined {
  if (process.platform !== 'linux') return 'overlays need Linux';
  const folder = mkdtempSync(join(tmpdir(), 'overlay-'));
  try {
    for (const name of ['l', 'u', 'w', 'm']) mkdirSync(join(folder, name));
    const mount = 'mount -t overlay overlay -o lowerdir=l,upperdir=u,workdir=w,userxattr m';
    execFileSync('unshare', ['-Urm', 'sh', '-c', `cd "$1" && ${mount}`, 'sh', folder], { stdio: 'pipe' });
    return undefined;
  } catch (fault) {
    return (
      String((fault as Error).message)
        .split('\n')
        .at(1) ?? 'the mount failed'
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const whyNot = whyNoSandbox ?? whyNoOverlay();
export const title = whyNot === undefined ? 'on a stage' : `on a stage (left out: ${whyNot})`;
