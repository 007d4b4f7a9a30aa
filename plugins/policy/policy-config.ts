// Defines the settings of approvals.
import * as Type from 'typebox';

/** Returns `undefined` if calls wait without a limit. */
export function approvalLimit(setting: number): number | undefined {
  return setting === 0 ? undefined : Math.max(10_000, setting);
}

export const policyConfig = Type.Object({
  approvalTimeoutMs: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 86_400_000,
    env: 'AGENT_APPROVAL_TIMEOUT_MS',
    mustFit: true,
    words: 'confirm permission question wait expire',
    tab: 'safety',
    title: 'Approval timeout (ms)',
    description:
      'How long a tool call waits for a decision before it expires, in milliseconds: 10,000 to 86,400,000 (less counts as 10,000). 0: as long as the server runs.',
    apply: 'live',
  }),
  yolo: Type.Boolean({
    default: false,
    env: 'AGENT_YOLO',
    words: 'auto approve permissions stop asking never ask confirm skip allow all',
    tab: 'safety',
    title: 'Approve everything',
    description:
      'Approves every tool call that would ask, in this process only; each one is still recorded as a decision. What a rule forbids stays forbidden, and chats in the modes careful and plan go on asking.',
    apply: 'live',
    // Applies until the process ends; never written to the preferences.
    ephemeral: true,
  }),
});
