// The events of approvals and questions on the wire.
import type { WireEvent } from 'agent-harness/plugins/chats';
import { answeredSchema, approvalSchema, decidedSchema, questionSchema } from './policy-schemas.ts';

export const policyEvents: readonly WireEvent[] = [
  { name: 'tool_approval', description: 'A tool call waits for a decision.', schema: approvalSchema },
  { name: 'approval_decision', description: 'A tool call was approved, rejected or edited, by a person or without one.', schema: decidedSchema },
  { name: 'ask_user', description: 'The model asks the user something and waits.', schema: questionSchema },
  { name: 'ask_user_answered', description: 'A question was answered.', schema: answeredSchema },
];
