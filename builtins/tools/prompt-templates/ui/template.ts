// Defines the type of a prompt template in the server's list.
import type { ReplyOf } from 'agent-harness/client';

export type Template = ReplyOf<'GET /api/prompts'>['templates'][number];
