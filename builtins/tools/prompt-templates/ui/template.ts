// Defines the type of a prompt template in the list that the server returns.
import type { ReplyOf } from 'agent-harness/client';

export type Template = ReplyOf<'GET /api/prompts'>['templates'][number];
