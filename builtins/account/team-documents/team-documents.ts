// Follows the changes of an organisation once, for all documents that are held.
import { errorOf } from 'agent-harness/lib/errors';
import type { TeamDocuments } from './contract.ts';
import type { DocumentParts } from './document-parts.ts';
import { createHeldDocument, type OwnedDocument } from './held-document.ts';

/** Until a stream that ended for good is tried again. */
const againMs = 5_000;

export interface OwnedTeamDocuments extends Pick<TeamDocuments, 'hold'> {
  /** Somebody signed in. */
  signedIn(): void;
}

export function createTeamDocuments(parts: DocumentParts): OwnedTeamDocuments {
  const held = new Set<OwnedDocument>();
  let following: AbortController | undefined;

  /** The state as a whole comes with each event and at each connection, so each is a reason to look. */
  function follow(): void {
    const { controlPlane } = parts.services;
    if (following || !controlPlane) return;
    const ending = (following = new AbortController());
    const signal = AbortSignal.any([ending.signal, parts.signal]);
    controlPlane.follow({
      path: '/api/team/changes',
      signal,
      take({ data }) {
        for (const one of held) one.changed(data);
      },
      onState(state) {
        // Ended for good: who signed in anew, or whose role changed, is let in again.
        if (state !== 'ended' || signal.aborted) return;
        following = undefined;
        if (held.size > 0) setTimeout(follow, againMs).unref();
      },
    });
  }

  return {
    signedIn() {
      for (const one of held) one.signedIn();
    },
    async hold(kind) {
      const one = createHeldDocument(kind, parts);
      held.add(one);
      await one.begin();
      follow();
      return {
        get state() {
          return one.state;
        },
        settled: (limitMs) => one.settled(limitMs),
        refresh: () => one.refresh(),
        async dispose() {
          held.delete(one);
          if (held.size === 0) {
            following?.abort(errorOf('nothing is held any more'));
            following = undefined;
          }
          await one.dispose();
        },
      };
    },
  };
}
