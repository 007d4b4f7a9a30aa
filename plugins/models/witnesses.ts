// Who looks on at what models are asked: each passes on to the next one, the provider last, or answers in its place.
import type { PointHandler } from 'agent-harness/kernel';
import type { ModelWitness, Models } from './contract.ts';

export interface Witnesses {
  readonly point: PointHandler<ModelWitness>;
  /** As {@link Models.stream}. */
  readonly stream: Models['stream'];
}

export function createWitnesses(provider: Models['stream']): Witnesses {
  const witnesses: ModelWitness[] = [];
  const from = (at: number): Models['stream'] => {
    const witness = witnesses[at];
    return witness ? (request, call, signal) => witness.attend(request, call, signal, from(at + 1)) : provider;
  };
  return {
    point: {
      added: (witness) => void witnesses.push(witness),
      removed: (witness) => void witnesses.splice(witnesses.indexOf(witness), 1),
    },
    stream: (request, call, signal) => from(0)(request, call, signal),
  };
}
