// Defines the errors of the persona.
import type { ErrorSpec } from 'agent-harness/kernel';

export const errorTable = {
  RUNNING: { message: 'A persona is already being created. Wait until it is finished.', status: 409 },
  SKIP_NOT_ALLOWED: { message: 'This installation requires a description of the agent, so the question cannot be skipped.', status: 409 },
  BOOTSTRAP_PENDING: {
    message: 'First describe the agent: on the page, with /persona and a sentence, or with POST /api/persona/bootstrap.',
    status: 409,
  },
  NOT_MADE: { message: 'No persona was created: {why}', status: 409 },
  CONFLICT: { message: "The part '{name}' has changed; its revision is now {revision}. Read it again.", status: 409 },
  INVALID_REQUEST: { message: 'This text cannot be used: {why}.', status: 400 },
  NO_ANSWER: { message: 'The model did not complete its reply within {ms} ms.', status: 504 },
  TOO_LONG: { message: 'The reply of the model is longer than {most} characters.', status: 502 },
  NOT_FOUND: { message: 'There is no {what}.', status: 404 },
} as const satisfies Record<string, ErrorSpec>;
