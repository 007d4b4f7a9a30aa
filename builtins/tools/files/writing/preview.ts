// Builds the diff that is shown in the approval request for a write.
import { isFailure } from '#lib/errors';
import type { ApprovalPreview } from 'agent-harness/plugins/tools';
import { planEdit, planWrite, type Change, type ChangePlace } from './change.ts';
import type { EditFileArgs, WriteFileArgs } from '../inputs.ts';
import type { FilePorts } from '../ports.ts';
import { shortDiff } from './short-diff.ts';

export function previewWrite(args: WriteFileArgs, place: ChangePlace, ports: FilePorts): Promise<ApprovalPreview | undefined> {
  return previewOf(() => planWrite(args, place, ports));
}

export function previewEdit(args: EditFileArgs, place: ChangePlace, ports: FilePorts): Promise<ApprovalPreview | undefined> {
  return previewOf(() => planEdit(args, place, ports));
}

async function previewOf(plan: () => Promise<Change>): Promise<ApprovalPreview | undefined> {
  try {
    const change = await plan();
    const diff = await shortDiff(change);
    return diff === undefined ? undefined : { kind: 'diff', path: change.target.shown, diff };
  } catch (fault) {
    if (isFailure(fault)) return undefined; // the tool itself will report the reason
    throw fault;
  }
}
