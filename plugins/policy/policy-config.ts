// Defines the settings of approvals.
import * as Type from 'typebox';

/** Returns the approval timeout in milliseconds; `undefined` if calls wait without a limit. */
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
      'Time in milliseconds that a tool call waits for a decision before it expires: 10,000 to 86,400,000 (lower values mean 10,000). 0: no limit while the server runs.',
    apply: 'live',
  }),
  yolo: Type.Boolean({
    default: false,
    env: 'AGENT_YOLO',
    words: 'auto approve permissions stop asking never ask confirm skip allow all',
    tab: 'safety',
    title: 'Approve all tool calls',
    description:
      'Approves every tool call that needs an approval, until the server stops. Each call is still recorded as a decision. Forbidden calls stay forbidden, and chats in the modes careful and plan still ask.',
    apply: 'live',
    // Applies until the process ends; never written to the preferences.
    ephemeral: true,
  }),
});
