// Reads and writes one set of notes on the control plane over HTTP.
import { codeOf } from '#lib/errors';
import { isRecord } from '#lib/values';
import type { ControlPlane } from 'agent-harness/builtins/account/hub';
import type { NoteChangeReply, NoteConflict, NoteReading, NoteVersion } from 'agent-harness/builtins/control-plane/plane-notes';
import type { PlaneAnswer, PlaneCopy } from './sync-set.ts';

export interface OpenPlaneCopy extends PlaneCopy {
  history(key: string): Promise<readonly NoteVersion[]>;
}

export function createPlaneCopy(plane: ControlPlane, path: string, workspace: string, signal: AbortSignal): OpenPlaneCopy {
  const address = (fields: Readonly<Record<string, string | number | boolean | undefined>>, place = path): string => {
    const given = Object.entries({ workspace, ...fields }).filter(([, value]) => value !== undefined);
    return `${place}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
  };
  return {
    async read({ since, mark, isWhole }) {
      const { body } = await plane.request({ method: 'GET', path: address({ since, mark, ...(isWhole ? { whole: true } : {}) }), signal });
      if (!isRecord(body) || !Array.isArray(body['notes']) || !Array.isArray(body['tombstones']))
        throw new TypeError('The response of the control plane contains no notes.');
      return body as unknown as NoteReading;
    },
    async write(change): Promise<PlaneAnswer> {
      try {
        const { status, body } = await plane.request({ method: 'PUT', path: address({}), body: change, signal });
        if (status !== 409) return { what: 'done', ...(body as NoteChangeReply) };
        const { error, ...conflict } = body as NoteConflict & { readonly error?: { readonly code?: string } };
        return error?.code === 'mutation_out_of_order' ? { what: 'out_of_order' } : { what: 'conflict', ...conflict };
      } catch (fault) {
        const { status, message } = detailsOf(fault);
        if (status === 400 || status === 413) return { what: 'refused', why: String(message) };
        throw fault;
      }
    },
    async history(key) {
      const { body } = await plane.request({ method: 'GET', path: address({ key }, `${path}/history`), signal });
      return (body as { readonly versions: readonly NoteVersion[] }).versions;
    },
  };
}

function detailsOf(fault: unknown): Readonly<Record<string, unknown>> {
  if (codeOf(fault) !== 'HUB_ERR_PLANE_REFUSED') return {};
  const { details } = fault as { readonly details?: unknown };
  return isRecord(details) ? details : {};
}
