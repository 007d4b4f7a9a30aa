// Defines the errors of the persona.
import type { ErrorSpec } from 'agent-harness/kernel';

export const errorTable = {
  RUNNING: { message: 'A character is being made already. Wait for its end.', status: 409 },
  SKIP_NOT_ALLOWED: { message: 'This installation wants to be told what the agent should be like, so that cannot be skipped.', status: 409 },
  BOOTSTRAP_PENDING: {
    message: 'First say what the agent should be like: in the page, with /persona and a sentence, or with POST /api/persona/bootstrap.',
    status: 409,
  },
  NOT_MADE: { message: 'No character was made: {why}', status: 409 },
  CONFLICT: { message: "The part '{name}' was changed meanwhile; it is in revision {revision} now. Read it again.", status: 409 },
  INVALID_REQUEST: { message: 'That cannot be taken: {why}.', status: 400 },
  NO_ANSWER: { message: 'The model did not finish its answer within {ms} ms.', status: 504 },
  TOO_LONG: { message: 'The answer of the model is longer than {most} characters.', status: 502 },
  NOT_FOUND: { message: 'There is no {what}.', status: 404 },
} as const satisfies Record<string, ErrorSpec>;
