// Publishes an organisation's document, based on the revision that was read.
import type { ControlPlane } from 'agent-harness/builtins/account/hub';
import { isRecord } from '#lib/values';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import type { Publication } from './contract.ts';

/** Publishes a document; resolves with the tool's outcome. Rejects with the control plane's errors. */
export async function publishDocument(plane: ControlPlane, { path, field, body, base, signal }: Publication): Promise<ToolOutcome> {
  const revisionIn = (reply: unknown): number => (isRecord(reply) && typeof reply['revision'] === 'number' ? reply['revision'] : 0);
  const from = base ?? revisionIn((await plane.request({ method: 'GET', path, signal })).body);
  const reply = await plane.request({ method: 'PUT', path, body: { base: from, [field]: body }, signal });
  if (reply.status === 409) {
    return {
      ok: false,
      error: `Another administrator has changed it since revision ${from}.`,
      hint: 'Read the current revision, then publish again with it as base.',
    };
  }
  return { ok: true, output: `Published as revision ${revisionIn(reply.body)}. It reaches connected members within two seconds.` };
}
