// Why the host did not do what the guest did, as a sentence. Pure.
import type { RefusedReason } from '../guest-protocol.ts';

const words: Readonly<Record<RefusedReason, string>> = {
  protected: 'The host keeps approvals, settings and the like to itself.',
  rate: 'Too much at once; some of it was left out.',
  stale: 'The page has changed since this picture. Nothing was pressed; try again.',
  role: 'You are here to watch.',
  waiting: 'The host has not allowed you to control yet.',
};

export function refusalText(reason: RefusedReason): string {
  return words[reason] ?? 'The host refused it.';
}
