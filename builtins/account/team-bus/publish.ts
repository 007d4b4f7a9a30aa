// Publishes a message to the team bus on the control plane.
import { randomUUID } from 'node:crypto';
import type { ControlPlane } from 'agent-harness/builtins/account/hub';
import { failure } from '#lib/errors';
import { isRecord } from '#lib/values';

export interface Publication {
  readonly workspace: string;
  readonly key: string;
  readonly envelope: unknown;
  readonly signal: AbortSignal;
}

/** Publishes a message and resolves with its cursor. Rejects with the control plane's error, or with a failure if the envelope is too long. */
export type Publish = (publication: Publication) => Promise<number>;

/** Maximum size of an envelope in bytes. */
const envelopeBytes = 65_536;

export function createPublish(controlPlane: Pick<ControlPlane, 'request'>): Publish {
  const clientId = randomUUID();
  let mutations = 0;
  return async ({ signal, ...message }) => {
    if (Buffer.byteLength(JSON.stringify(message.envelope)) > envelopeBytes)
      throw failure(`The envelope has more than ${envelopeBytes} bytes.`, 'Send a reference to the content instead.');
    const { body } = await controlPlane.request({
      method: 'POST',
      path: '/api/team/bus/publish',
      body: { ...message, clientId, mutationId: ++mutations },
      signal,
    });
    const cursor = isRecord(body) ? body['cursor'] : undefined;
    if (typeof cursor !== 'number') throw failure('The control plane did not confirm the publication.', 'Check the bus before you publish it again.');
    return cursor;
  };
}
