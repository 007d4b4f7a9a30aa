// What becomes of a throw of a tool.
import { codeOf, isFailure, messageOf } from 'agent-harness/lib/errors';
import type { ToolOutcome } from './contract.ts';

/** A failure and an error with a code of a plugin are sentences for the model; anything else is a fault of the tool. */
export function thrownOutcome(tool: string, thrown: unknown): ToolOutcome {
  if (!isFailure(thrown)) return { ok: false, error: codeOf(thrown)?.includes('_ERR_') ? messageOf(thrown) : `${tool} failed: ${messageOf(thrown)}` };
  const { message, hint, isUntrusted } = thrown;
  return { ok: false, error: message, ...(hint === undefined ? {} : { hint }), ...(isUntrusted === true ? { isUntrusted } : {}) };
}
