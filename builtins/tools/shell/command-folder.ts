// Resolves the working directory of a command, which is always inside the workspace.
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isWithin } from '#lib/paths';
import type { ApprovalPreview } from 'agent-harness/plugins/tools';
import type { RunCommandArgs } from './inputs.ts';

/** Returns the real path, or a sentence that states why the folder is not allowed. */
export async function commandFolder(cwd: string | undefined, workspaceRoot: string): Promise<{ readonly path: string } | { readonly why: string }> {
  const asked = cwd ?? '.';
  if (asked.includes('\0')) return { why: 'cwd contains a NUL character.' };
  try {
    const root = await realpath(workspaceRoot);
    const path = await realpath(resolve(root, asked));
    if (!isWithin(root, path)) return { why: `${asked} is outside the workspace; commands run inside it.` };
    return (await stat(path)).isDirectory() ? { path } : { why: `${asked} is not a folder.` };
  } catch {
    return { why: `There is no folder ${asked}.` };
  }
}

/** @param isSandboxed whether the command runs in a sandbox, where network access requires approval */
export async function previewCommand(args: RunCommandArgs, workspaceRoot: string, isSandboxed: boolean): Promise<ApprovalPreview> {
  const folder = await commandFolder(args.cwd, workspaceRoot);
  const cwd = 'path' in folder ? folder.path : resolve(workspaceRoot, args.cwd ?? '.');
  return { kind: 'command', command: args.command, cwd, ...(args.network === true ? { network: true } : isSandboxed ? { network: false } : {}) };
}
