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
    NOT_FOUND: { message: "Nothing with the id '{id}' waits for an answer, and nothing did lately.", status: 404 },
    ALREADY_RESOLVED: { message: "'{id}' was already decided; the first answer stands.", status: 409 },
    EXPIRED: { message: "The approval '{id}' expired (AGENT_APPROVAL_TIMEOUT_MS), so the call was not run.", status: 410 },
    ANSWER_REFUSED: { message: 'This answer does not count yet: {why}', status: 403 },
    RULE_NOT_FOUND: { message: "There is no rule '{id}' (any more).", status: 404 },
    RULE_REFUSED: { message: 'A rule for a whole folder is made by the owner, and only to allow something. Decide for this chat instead.', status: 403 },
    INVALID_REQUEST: { message: 'The decision cannot be taken: {why}', status: 400 },
  },
} as const satisfies PluginManifest;
