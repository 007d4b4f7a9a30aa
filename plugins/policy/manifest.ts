// Declares the name, services, events and settings of policy.
import { policyConfig } from './policy-config.ts';
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'policy',
  requires: ['kernel', 'product', 'storage', 'chats', 'eventLog', 'tools'],
  optional: ['trust'],
  provides: ['approvals', 'gate'],
  events: ['tool_approval', 'approval_rehearsed', 'approval_decision', 'ask_user', 'ask_user_answered'],
  config: policyConfig,
  errors: {
    NOT_FOUND: { message: "No approval or question with the id '{id}' is pending.", status: 404 },
    ALREADY_RESOLVED: { message: "'{id}' was already decided. The first decision applies.", status: 409 },
    EXPIRED: { message: "The approval '{id}' expired (AGENT_APPROVAL_TIMEOUT_MS), so the call was not run.", status: 410 },
    ANSWER_REFUSED: { message: 'The answer was not accepted yet: {why}', status: 403 },
    RULE_NOT_FOUND: { message: "The rule '{id}' does not exist.", status: 404 },
    RULE_REFUSED: { message: 'Only the owner can add a rule for a whole folder, and only to allow calls. Decide for this chat instead.', status: 403 },
    REPEATED_CALLS: {
      message: 'The turn ended because the model repeated blocked calls for {rounds} rounds. Send a message with another approach, or change the model.',
    },
    INVALID_REQUEST: { message: 'The decision is invalid: {why}', status: 400 },
  },
} as const satisfies PluginManifest;
