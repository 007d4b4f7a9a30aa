// Creates folders for command previews and lists their content.
import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stage } from '../../../../builtins/turn/effect-preview/stage.ts';

export const noMarks = { createMark: () => ({ environment: {} }) } as never;
export const limits = { changes: 5_000, bytes: 64 * 1024 * 1024 };

export async function picture(folder: string, path = ''): Promise<string[]> {
  const rows: string[] = [];
  for (const name of (await readdir(join(folder, path))).sort()) {
    const inside = join(path, name);
    const stats = await lstat(join(folder, inside));
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isDirectory()) rows.push(`${inside}/ ${mode}`, ...(await picture(folder, inside)));
    else if (stats.isSymbolicLink()) rows.push(`${inside} -> ${await readlink(join(folder, inside))}`);
    else rows.push(`${inside} ${mode} ${stats.nlink} ${(await readFile(join(folder, inside))).toString('base64').slice(0, 400)}`);
  }
  return rows;
}

/** Runs the script with the merged folder as workspace, as the sandbox does. */
export function runOn(stage: Stage, workspace: string, script: string): void {
  const [program, ...args] = stage.command.enter;
  const sandbox = ['bwrap', '--die-with-parent', '--cap-drop', 'ALL', '--ro-bind', '/', '/', '--bind', stage.command.workspace, workspace];
  execFileSync(program, [...args, ...sandbox, '--dev', '/dev', '--chdir', workspace, '--', 'sh', '-c', script], { stdio: 'pipe' });
}

export async function twins(base: string, count: number, script: string): Promise<[string, string]> {
  const one = join(base, `one-${count}`);
  const other = join(base, `other-${count}`);
  await mkdir(one);
  execFileSync('sh', ['-c', script], { cwd: one, stdio: 'pipe' });
  execFileSync('cp', ['-a', one, other]);
  return [one, other];
}

export const setup = `mkdir -p a/b/c d node_modules/x; echo one > a/one; echo two > a/b/two; echo three > a/b/c/three; echo x > node_modules/x/i.js
printf '\\000\\001' > bin; echo top > top; ln -s a/one link; ln -s /etc out; chmod 755 top; mkdir -p 'e ü'; echo ü > 'e ü/ö "q"'`;
