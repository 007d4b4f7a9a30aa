// A template as the server lists it.
import type { ReplyOf } from 'agent-harness/client';

export type Template = ReplyOf<'GET /api/prompts'>['templates'][number];
