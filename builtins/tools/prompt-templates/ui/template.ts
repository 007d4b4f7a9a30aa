// A template as listed by the server.
import type { ReplyOf } from 'agent-harness/client';

export type Template = ReplyOf<'GET /api/prompts'>['templates'][number];
