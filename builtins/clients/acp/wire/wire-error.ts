// Defines the error codes of the protocol.
import { CallError } from 'agent-harness/client';
import { codeOf, messageOf } from '#lib/errors';
import { oneLine } from '#lib/text';

export const wireCodes = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  signInNeeded: -32_000,
  notFound: -32_002,
  cancelled: -32_800,
} as const;

/** The error object of a reply. */
export interface ErrorBody {
  readonly code: number;
  /** A single line. */
  readonly message: string;
  readonly data?: unknown;
}

export class WireError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'WireError';
    this.code = code;
    this.data = data;
  }
}

const longestMessage = 1_000;

/** Converts any thrown value to an error object. Errors from the server keep their code in `data`. */
export function errorBodyOf(thrown: unknown): ErrorBody {
  const message = oneLine(messageOf(thrown), longestMessage) || 'The request failed.';
  if (thrown instanceof WireError) return { code: thrown.code, message, ...(thrown.data === undefined ? {} : { data: thrown.data }) };
  const code = codeOf(thrown);
  return { code: numberOf(thrown), message, ...(code === undefined ? {} : { data: { code } }) };
}

function numberOf(thrown: unknown): number {
  if (!(thrown instanceof CallError)) return wireCodes.internal;
  if (thrown.status === 404) return wireCodes.notFound;
  if (thrown.code === 'aborted') return wireCodes.cancelled;
  return [400, 413, 415, 422].includes(thrown.status) ? wireCodes.invalidParams : wireCodes.internal;
}
