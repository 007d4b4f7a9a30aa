// Declares the wire events of approvals and questions.
import type { WireEvent } from 'agent-harness/plugins/chats';
import { eventSchemas } from 'agent-harness/transcript/events';

export const policyEvents: readonly WireEvent[] = [
  { name: 'tool_approval', description: 'A tool call waits for a decision.', permission: 'chats.read', schema: eventSchemas.tool_approval },
  {
    name: 'approval_rehearsed',
    description: 'The preview of a pending call is ready: the changes that the call made in a copy of the workspace.',
    permission: 'chats.read',
    schema: eventSchemas.approval_rehearsed,
  },
  {
    name: 'approval_decision',
    description: 'A tool call was approved, rejected or edited, by a person or automatically.',
    permission: 'chats.read',
    schema: eventSchemas.approval_decision,
  },
  { name: 'ask_user', description: 'The model asks the user a question and waits.', permission: 'chats.read', schema: eventSchemas.ask_user },
  { name: 'ask_user_answered', description: 'A question was answered.', permission: 'chats.read', schema: eventSchemas.ask_user_answered },
];
