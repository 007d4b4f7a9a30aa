// Describes the target and audience of a notes sync. Pure.
import { t, table } from '#page/kit/t.ts';

export type TargetName = 'cloud' | 'team';

export const targetTexts: Readonly<Record<TargetName, { readonly title: string; readonly about: string }>> = table({
  cloud: {
    title: 'Your notes on your machines',
    about: 'Your own notes, synchronised between all machines where you are signed in. Notes of a single chat are not included.',
  },
  team: {
    title: 'Notes of the team',
    about: 'Notes of a workspace that the whole team reads and writes. Each shows its author and is never treated as an instruction.',
  },
});

export function workspaceText({ workspace, workspaceRoot }: { readonly workspace: string; readonly workspaceRoot?: string }): string {
  return workspace === 'global' ? t('Everywhere') : (workspaceRoot ?? workspace);
}
