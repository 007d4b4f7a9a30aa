// Formats the problems found in an answer as text for users.
import type { ShownNote } from 'agent-harness/transcript';
import type { CriticVerdict } from './contract.ts';

export function describeVerdict({ ok, problems = [], isSentBack }: Partial<CriticVerdict>): ShownNote | undefined {
  if (ok === true) return undefined;
  const found = problems.map((one) => one.replace(/\.$/, '')).join('; ');
  const what = found === '' ? 'A check of the answer failed.' : `A check of the answer found: ${found}.`;
  return { text: isSentBack === true ? `${what} The model will answer again.` : what };
}
